import type { DialingLoop } from "./dialing-loop.ts";

const name = "leadline.ringing";

interface OneTab {
  /** navigator.locks, which plain-http origins lack. */
  locks: Pick<LockManager, "request"> | undefined;
  /** When the ringing ends in one tab, it ends in the others a moment later: none of them takes over meanwhile. */
  graceMs?: number;
}

/** A call rings in every tab of the browser but is audible from one: the first that the browser allows to play. */
export function ringInOneTab(ring: DialingLoop, { locks, graceMs = 1_000 }: OneTab): DialingLoop {
  let over: AbortController | null = null;
  const stop = (): void => {
    over?.abort();
    over = null;
    ring.stop();
  };
  return {
    async start() {
      stop();
      if (!locks) return ring.start();
      const { signal } = (over = new AbortController());
      const stopped = new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
      let isHeard = false;
      const ringHere = async (): Promise<void> => {
        isHeard = !signal.aborted && (await ring.start());
        if (isHeard) await stopped;
      };
      const isFirst = await locks.request(name, { ifAvailable: true }, async (lock) => {
        if (lock) await ringHere();
        return lock !== null;
      });
      if (isFirst || signal.aborted) return isHeard;
      await locks
        .request(name, { signal }, async () => {
          await Promise.race([stopped, new Promise((resolve) => setTimeout(resolve, graceMs))]);
          await ringHere();
        })
        // Stopped while another tab rang.
        .catch(() => {});
      return isHeard;
    },
    stop,
  };
}
