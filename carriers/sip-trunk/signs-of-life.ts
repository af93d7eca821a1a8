import { type SipTarget, targetKey } from "./transport/sip-target.ts";

/** Which of the trunk's targets are alive, judging by what each last sent or left unanswered. */
export function createSignsOfLife(onBack?: () => void) {
  const silent = new Set<string>();
  /** Targets that have ever sent us anything, and when they last did. */
  const lastHeardAt = new Map<string, number>();
  /** Targets that answered the last OPTIONS they received. */
  const answersOptions = new Set<string>();

  function note(target: SipTarget, heard: "answered" | "silent"): void {
    const key = targetKey(target);
    if (heard === "silent") return void silent.add(key);
    const wasAway = silent.delete(key) || !lastHeardAt.has(key);
    lastHeardAt.set(key, performance.now());
    if (wasAway) onBack?.();
  }

  return {
    note,
    /**
     * A server may ignore OPTIONS: silence only counts for a target that answered before, or was never heard from at
     * all.
     */
    noteOptions(target: SipTarget, heard: "answered" | "silent" | "no-connection"): void {
      const key = targetKey(target);
      if (heard === "answered") {
        answersOptions.add(key);
        note(target, "answered");
      } else if (answersOptions.delete(key) || heard === "no-connection" || !lastHeardAt.has(key))
        note(target, "silent");
    },
    /** Whether it left the last request unanswered. */
    isSilent: (target: SipTarget): boolean => silent.has(targetKey(target)),
    answersOptions: (target: SipTarget): boolean => answersOptions.has(targetKey(target)),
    /** When it last sent us anything, on performance.now()'s clock; null if it never has. */
    heardAtMs: (target: SipTarget): number | null => lastHeardAt.get(targetKey(target)) ?? null,
  };
}
