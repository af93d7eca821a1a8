/** RFC 4028, section 4: less than this keeps both sides busy with proving that they are there. */
export const leastSessionSeconds = 90;

export interface SessionExpires {
  seconds: number;
  refresher: "uac" | "uas" | null;
}

/** ours: what our own settings ask for, below which no peer may press us. */
export function readSessionExpires(header: string | undefined, ours: number): SessionExpires | null {
  const found = /^\s*(\d{1,10})/.exec(header ?? "");
  if (!found) return null;
  const refresher = /;\s*refresher\s*=\s*(uac|uas)/i.exec(header ?? "")?.[1]?.toLowerCase();
  return {
    seconds: Math.max(Number(found[1]), Math.min(leastSessionSeconds, ours)),
    refresher: refresher === "uac" || refresher === "uas" ? refresher : null,
  };
}

export interface Headers {
  getHeader(name: string): string | undefined;
}

/** What we agree to as the one who is asked: whoever cannot refresh, or need not know of it, leaves it to us (section 9). */
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

/** setTimeout's own limit is 24 days; nobody's session is that long. */
const mostSeconds = 86_400;

/**
 * Proves to both sides that a call is alive: whoever refreshes does so at half time, and the other ends the call shortly
 * before the time is over (section 10).
 */
export function createSessionTimer(actions: { refresh: () => void; expire: () => void }) {
  let timer: NodeJS.Timeout | null = null;
  const stop = (): void => {
    if (timer) clearTimeout(timer);
    timer = null;
  };
  return {
    /** Anew at each refresh, whoever sent it. */
    set(options: { seconds: number; weRefresh: boolean }): void {
      stop();
      const seconds = Math.min(options.seconds, mostSeconds);
      const dueSeconds = options.weRefresh ? seconds / 2 : seconds - Math.min(32, seconds / 3);
      timer = setTimeout(options.weRefresh ? actions.refresh : actions.expire, dueSeconds * 1000);
    },
    stop,
  };
}
