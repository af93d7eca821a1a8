import { createListeners } from "../../data/create-listeners.ts";

const longestHoldMs = 300;

/** Who is told of each change, unless the telling is held back for what is more urgent than drawing it. */
export function createHoldableListeners() {
  const listeners = createListeners();
  let holds = 0;
  let untold = false;

  function tellNow(): void {
    untold = false;
    listeners.tell();
  }

  return {
    subscribe: listeners.subscribe,
    tell(): void {
      if (holds > 0) untold = true;
      else tellNow();
    },
    /** Until it is released, or has lasted long enough to be seen, nothing is told but what `tellOnce` lets through. */
    holdBack() {
      holds += 1;
      let isHolding = true;
      const release = (): void => {
        clearTimeout(timer);
        if (!isHolding) return;
        isHolding = false;
        holds -= 1;
        if (holds === 0 && untold) tellNow();
      };
      const timer = setTimeout(release, longestHoldMs);
      return {
        release,
        /** In a task of its own, so that what is under way in this one goes first. */
        tellOnce: () => void setTimeout(() => untold && tellNow()),
      };
    },
  };
}
