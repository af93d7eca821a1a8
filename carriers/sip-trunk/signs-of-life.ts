import { type SipTarget, targetKey } from "./transport/sip-target.ts";

/** Which of the trunk's targets answer, by what each of them last sent or left unanswered. */
export function createSignsOfLife(onBack?: () => void) {
  const silent = new Set<string>();
  /** Those that have sent us anything at all, and when. */
  const heardOnce = new Map<string, number>();
  /** Those that answered the last OPTIONS that they took. */
  const answersOptions = new Set<string>();

  function note(target: SipTarget, heard: "answered" | "silent"): void {
    const key = targetKey(target);
    if (heard === "silent") return void silent.add(key);
    const wasAway = silent.delete(key) || !heardOnce.has(key);
    heardOnce.set(key, performance.now());
    if (wasAway) onBack?.();
  }

  return {
    note,
    /** A server may ignore OPTIONS: silence means something only from one that answered before, or was never heard at all. */
    noteOptions(target: SipTarget, heard: "answered" | "silent" | "no-connection"): void {
      const key = targetKey(target);
      if (heard === "answered") {
        answersOptions.add(key);
        note(target, "answered");
      } else if (answersOptions.delete(key) || heard === "no-connection" || !heardOnce.has(key)) note(target, "silent");
    },
    /** To what was last asked of it. */
    isSilent: (target: SipTarget): boolean => silent.has(targetKey(target)),
    answersOptions: (target: SipTarget): boolean => answersOptions.has(targetKey(target)),
    /** When it last sent us anything, on performance.now()'s clock; null if it never has. */
    heardAtMs: (target: SipTarget): number | null => heardOnce.get(targetKey(target)) ?? null,
  };
}
