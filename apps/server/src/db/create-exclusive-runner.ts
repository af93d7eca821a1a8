import type { ExclusiveLocks } from "./exclusive-locks.ts";

/** Runs the work unless the same work is running, here or in another process. Returns null then. */
export type RunExclusively = <T>(name: string, work: () => Promise<T>) => Promise<T | null>;

/** Runs work one at a time per name, across all processes. */
export function createExclusiveRunner(exclusiveLocks: Pick<ExclusiveLocks, "tryHold" | "release">): RunExclusively {
  const here = new Set<string>();
  return async (name, work) => {
    if (here.has(name)) return null;
    here.add(name);
    try {
      if ((await exclusiveLocks.tryHold(name)) !== true) return null;
      return await work().finally(() => exclusiveLocks.release(name));
    } finally {
      here.delete(name);
    }
  };
}
