import type { Call } from "@leadline/contract/calls";
import { answeredMomentMs } from "./answer-clock.ts";

/**
 * When each call was answered, on performance.now's clock. `onKnown` may be called later, after a request for the
 * server's time.
 */
export function createAnswerTimes(onKnown: (callSid: string, answeredMs: number) => void) {
  const known = new Map<string, number>();
  function keep(callSid: string, answeredMs: number): void {
    if (known.has(callSid)) return;
    known.set(callSid, answeredMs);
    onKnown(callSid, answeredMs);
  }
  return {
    of: (callSid: string): number | null => known.get(callSid) ?? null,
    /** before: the previous state of the call. */
    note({ callSid, answeredAt }: Call, before: Call | null): void {
      if (answeredAt === null || known.has(callSid)) return;
      if (before?.answeredAt === null) return keep(callSid, performance.now());
      void answeredMomentMs(answeredAt).then((answeredMs) => keep(callSid, answeredMs));
    },
  };
}
