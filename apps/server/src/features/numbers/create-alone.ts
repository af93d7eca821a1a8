import type { HeldAlone } from "../../db/hold-alone.ts";
import type { NumberDeps } from "./number-deps.ts";

/** One at a time by name, in this process and among all. */
export function createAlone(heldAlone: Pick<HeldAlone, "tryHold" | "letGo">): NumberDeps["alone"] {
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
