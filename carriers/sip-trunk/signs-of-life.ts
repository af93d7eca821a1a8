import { setLatest } from "./transport/set-latest.ts";
import { type SipTarget, targetKey } from "./transport/sip-target.ts";

/** Which of the trunk's targets are alive, judging by what each last sent or left unanswered. */
export function createSignsOfLife(onBack?: () => void) {
  const silent = new Map<string, true>();
  /** Those of them that left more than OPTIONS unanswered, or accepted no connection. */
  const failed = new Map<string, true>();
  /** Targets that have ever sent us anything, and when they last did. */
  const lastHeardAt = new Map<string, number>();
  /** Targets that answered the last OPTIONS they received. */
  const answersOptions = new Map<string, true>();

  function note(target: SipTarget, heard: "answered" | "silent"): void {
    const key = targetKey(target);
    if (heard === "silent") {
      setLatest(silent, key, true);
      return setLatest(failed, key, true);
    }
    failed.delete(key);
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
      else if (answeredBefore || !lastHeardAt.has(key)) setLatest(silent, key, true);
    },
    /** Whether it left the last request unanswered. */
    isSilent: (target: SipTarget): boolean => silent.has(targetKey(target)),
    /** Whether it has only ignored OPTIONS so far: a call may reach it. */
    isUntried: (target: SipTarget): boolean => !lastHeardAt.has(targetKey(target)) && !failed.has(targetKey(target)),
    answersOptions: (target: SipTarget): boolean => answersOptions.has(targetKey(target)),
    /** When it last sent us anything, on performance.now()'s clock; null if it never has. */
    heardAtMs: (target: SipTarget): number | null => lastHeardAt.get(targetKey(target)) ?? null,
  };
}
