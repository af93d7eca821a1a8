import type { Call } from "@leadline/contract/calls";
import { createListeners } from "../../data/create-listeners.ts";
import { ProblemError } from "../../data/problem-error.ts";
import type { CallDriver } from "../drivers/call-driver.ts";
import { newTestCall, testConnectionId } from "./new-test-call.ts";

const closed = new ProblemError({ code: "outside-hours", title: "Closed", detail: "It is closed.", status: 409 });
const night = new ProblemError({
  code: "outside-calling-hours",
  title: "Night",
  detail: "It’s 03:30 there.",
  status: 409,
});

/** Carries calls without WebRTC: each one that starts is added to `calls`. */
export function createTestDriver(
  calls: Map<string, Call>,
  { isClosed = false, isNight = false }: { isClosed?: boolean | undefined; isNight?: boolean | undefined },
) {
  const changed = createListeners();
  let callSid: string | null = null;
  let refusal: ProblemError | null = null;
  let answerRefusal: ProblemError | null = null;

  const driver: CallDriver = {
    state: () => "ready",
    obstacle: () => null,
    callSid: () => callSid,
    connectionId: () => testConnectionId,
    onChange: changed.subscribe,
    keepWarm() {},
    coolDown() {},
    async start({ phoneNumber, askWhenClosed, outsideHoursReason }) {
      if (refusal) throw refusal;
      if (isNight && outsideHoursReason === undefined) throw night;
      if (isClosed && askWhenClosed) throw closed;
      const hoursOverride = outsideHoursReason ?? null;
      const call = newTestCall(phoneNumber, calls.size + 1, { mediaConnectionId: testConnectionId, hoursOverride });
      calls.set(call.callSid, call);
      callSid = call.callSid;
      changed.notify();
      return { callSid };
    },
    async attach() {},
    async answer() {
      if (answerRefusal) throw answerRefusal;
    },
    follow(told) {
      if (told.mediaConnectionId !== testConnectionId || told.callSid === callSid) return;
      callSid = told.callSid;
      changed.notify();
    },
    release() {
      callSid = null;
      changed.notify();
    },
    async setMicrophone() {},
    resumeSound() {},
    soundBlocked: () => false,
    async setSpeaker() {},
    readSound: async () => null,
  };

  return {
    driver,
    refuseNextStart: (problem: ProblemError): void => void (refusal = problem),
    refuseNextAnswer: (problem: ProblemError): void => void (answerRefusal = problem),
  };
}
