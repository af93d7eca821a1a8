import { createListeners } from "../../data/create-listeners.ts";

const longestHoldMs = 300;

/**
 * Listeners that are called for each change, unless notifications are held back for work that is more urgent than
 * rendering.
 */
export function createHoldableListeners() {
  const listeners = createListeners();
  let holds = 0;
  let pending = false;

  function notifyNow(): void {
    pending = false;
    listeners.notify();
  }

  return {
    subscribe: listeners.subscribe,
    notify(): void {
      if (holds > 0) pending = true;
      else notifyNow();
    },
    /**
     * Until it is released or has lasted long enough to be noticeable, listeners are only called through `flush`.
     */
    holdBack() {
      holds += 1;
      let isHolding = true;
      const release = (): void => {
        clearTimeout(timer);
        if (!isHolding) return;
        isHolding = false;
        holds -= 1;
        if (holds === 0 && pending) notifyNow();
      };
      const timer = setTimeout(release, longestHoldMs);
      return {
        release,
        /** In a task of its own, after the work of the current one. */
        flush: () => void setTimeout(() => pending && notifyNow()),
      };
    },
  };
}
