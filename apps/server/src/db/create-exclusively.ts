import type { HeldAlone } from "./hold-alone.ts";

/** Runs the work unless the same is being done, here or in another process; then null. */
export type RunAlone = <T>(name: string, work: () => Promise<T>) => Promise<T | null>;

/** One at a time by name, in this process and among all. */
export function createAlone(heldAlone: Pick<HeldAlone, "tryHold" | "letGo">): RunAlone {
  const here = new Set<string>();
  return async (name, work) => {
    if (here.has(name)) return null;
    here.add(name);
    try {
      if ((await heldAlone.tryHold(name)) !== true) return null;
      return await work().finally(() => heldAlone.letGo(name));
    } finally {
      here.delete(name);
    }
  };
}
