/** RFC 3261, table 4. */
export const t1Ms = 500;
const t2Ms = 4_000;
const giveUpMs = 64 * t1Ms;

interface Repeated {
  timer: NodeJS.Timeout;
  intervalMs: number;
  untilMs: number;
  cappedAtMs: number;
  resend: () => void;
}

/**
 * Retransmits over UDP at 0.5, 1.5, 3.5 … s until there is a response or 32 s are over: timers A, E and G, which SIP.js
 * leaves to its transport. Its own timers B, F and H report the end of the 32 s.
 */
export function createRetransmissions() {
  const all = new Map<string, Repeated>();

  function schedule(key: string, repeated: Repeated): void {
    repeated.timer = setTimeout(() => {
      repeated.resend();
      repeated.intervalMs = Math.min(repeated.intervalMs * 2, repeated.cappedAtMs);
      if (performance.now() + repeated.intervalMs < repeated.untilMs) schedule(key, repeated);
      else all.delete(key);
    }, repeated.intervalMs);
  }

  function stop(key: string): void {
    clearTimeout(all.get(key)?.timer);
    all.delete(key);
  }

  return {
    /** uncapped: an INVITE's intervals keep doubling; all others stay at 4 s. */
    start(key: string, options: { uncapped: boolean; resend: () => void }): void {
      stop(key);
      const cappedAtMs = options.uncapped ? Infinity : t2Ms;
      const untilMs = performance.now() + giveUpMs;
      const repeated = {
        intervalMs: t1Ms,
        untilMs,
        cappedAtMs,
        resend: options.resend,
        timer: setTimeout(() => {}, 0),
      };
      clearTimeout(repeated.timer);
      all.set(key, repeated);
      schedule(key, repeated);
    },
    stop,
    /** It has arrived and is being processed: retransmit every 4 s from now on (section 17.1.2.2). */
    slowDown(key: string): void {
      const repeated = all.get(key);
      if (repeated) repeated.intervalMs = t2Ms;
    },
    stopAll(): void {
      for (const key of all.keys()) stop(key);
    },
  };
}
