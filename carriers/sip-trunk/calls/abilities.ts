import type { EstablishOptions } from "./established-call.ts";
import type { LegSnapshot } from "./leg-snapshot.ts";
import { supportsReplaces } from "./replaces.ts";

const askedFor = ["UPDATE", "REFER", "INFO"];

export type Abilities = ReturnType<typeof createAbilities>;

/** What the far end supports, according to Allow and Supported, or to the snapshot. */
export function createAbilities(accepted: EstablishOptions["accepted"]) {
  const isResumed = "allowed" in accepted;
  const knowsReplaces = isResumed ? accepted.knowsReplaces : supportsReplaces(accepted);
  let updateIsUnknown = false;

  function takes(method: string): boolean {
    if (method === "UPDATE" && updateIsUnknown) return false;
    if (isResumed) return accepted.allowed.includes(method);
    return new RegExp(String.raw`\b${method}\b`, "i").test(accepted.getHeaders("allow").join());
  }
  /** A far end without an Allow header may still accept INFO. */
  const mayTakeInfo = takes("INFO") || (!isResumed && !accepted.hasHeader("allow"));

  return {
    takes,
    mayTakeInfo,
    knowsReplaces,
    /** Some far ends list UPDATE in Allow but don't implement it. */
    learnNoUpdate: (): void => void (updateIsUnknown = true),
    snapshot: (): Pick<LegSnapshot, "allowed" | "knowsReplaces"> => ({
      allowed: askedFor.filter((method) => takes(method) || (method === "INFO" && mayTakeInfo)),
      knowsReplaces,
    }),
  };
}
