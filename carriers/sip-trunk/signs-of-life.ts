import { setLatest } from "./transport/set-latest.ts";
import { type SipTarget, targetKey } from "./transport/sip-target.ts";

/** Which of the trunk's targets are alive, judging by what each last sent or left unanswered. */
export function createSignsOfLife(onBack?: () => void) {
  /** Silent targets: those that ignored OPTIONS only, and those that ignored more, or accepted no connection. */
  const silent = new Map<string, "on-options" | "failed">();
  /** Targets that have ever sent us anything, and when they last did. */
  const lastHeardAt = new Map<string, number>();
  /** Targets that answered the last OPTIONS they received. */
  const answersOptions = new Map<string, true>();

  function note(target: SipTarget, heard: "answered" | "silent"): void {
    const key = targetKey(target);
    if (heard === "silent") return setLatest(silent, key, "failed");
    const wasAway = silent.delete(key) || !lastHeardAt.has(key);
    setLatest(lastHeardAt, key, performance.now());
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
        setLatest(answersOptions, key, true);
        note(target, "answered");
        return;
      }
      const answeredBefore = answersOptions.delete(key);
      if (heard === "no-connection") note(target, "silent");
      else if (answeredBefore || !lastHeardAt.has(key)) setLatest(silent, key, silent.get(key) ?? "on-options");
    },
    /** Whether it left the last request unanswered. */
    isSilent: (target: SipTarget): boolean => silent.has(targetKey(target)),
    /** Whether it has only ignored OPTIONS so far: a call may reach it. */
    isUntried: (target: SipTarget): boolean =>
      !lastHeardAt.has(targetKey(target)) && silent.get(targetKey(target)) !== "failed",
    answersOptions: (target: SipTarget): boolean => answersOptions.has(targetKey(target)),
    /** When it last sent us anything, on performance.now()'s clock; null if it never has. */
    heardAtMs: (target: SipTarget): number | null => lastHeardAt.get(targetKey(target)) ?? null,
  };
}
