/** RFC 4028, section 4: less would keep both sides busy with refreshes. */
export const minSessionSeconds = 90;
/** The shortest interval that we refresh a call in. */
const briefestSeconds = 10;

export interface SessionExpires {
  seconds: number;
  refresher: "uac" | "uas" | null;
}

/**
 * ours: our configured interval, below which no peer can push us. An answer may still contain less than we allow: that
 * far end ends the call unless we refresh it as often.
 */
export function readSessionExpires(header: string | undefined, ours: number): SessionExpires | null {
  const found = /^\s*(\d{1,10})/.exec(header ?? "");
  if (!found) return null;
  const refresher = /;\s*refresher\s*=\s*(uac|uas)/i.exec(header ?? "")?.[1]?.toLowerCase();
  const least = refresher === "uas" ? minSessionSeconds : briefestSeconds;
  return {
    seconds: Math.max(Number(found[1]), Math.min(least, ours)),
    refresher: refresher === "uac" || refresher === "uas" ? refresher : null,
  };
}

export interface Headers {
  getHeader(name: string): string | undefined;
}

/** What we agree to as the UAS: if the peer can't refresh, or doesn't support timers, we do (section 9). */
export function agreeToSession(
  request: Headers,
  ours: number,
): { seconds: number; weRefresh: boolean; headers: string[] } | null {
  const asked = readSessionExpires(request.getHeader("session-expires"), ours);
  if (!asked) return null;
  const theyCan = /\btimer\b/i.test(request.getHeader("supported") ?? "");
  const refresher = theyCan ? (asked.refresher ?? "uac") : "uas";
  return {
    seconds: asked.seconds,
    weRefresh: refresher === "uas",
    headers: [`Session-Expires: ${asked.seconds};refresher=${refresher}`, ...(theyCan ? ["Require: timer"] : [])],
  };
}

/** setTimeout's own limit is 24 days; no session is that long. */
const maxSeconds = 86_400;

/**
 * Keeps a session alive: the refresher acts at half time, and the other side ends the call shortly before the interval
 * is over (section 10).
 */
export function createSessionTimer(actions: { refresh: () => void; expire: () => void }) {
  let timer: NodeJS.Timeout | null = null;
  const stop = (): void => {
    if (timer) clearTimeout(timer);
    timer = null;
  };
  return {
    /** Restarts it at each refresh, whichever side sent it. */
    set(options: { seconds: number; weRefresh: boolean }): void {
      stop();
      const seconds = Math.min(options.seconds, maxSeconds);
      const dueSeconds = options.weRefresh ? seconds / 2 : seconds - Math.min(32, seconds / 3);
      timer = setTimeout(options.weRefresh ? actions.refresh : actions.expire, dueSeconds * 1000);
    },
    stop,
  };
}
