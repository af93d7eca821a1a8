import type { Call } from "@leadline/contract/calls";
import type { Teammate } from "@leadline/contract/transfers";
import { vi } from "vitest";
import type { ProblemError } from "../../data/problem-error.ts";
import { createPhone } from "../call/create-phone.ts";
import { createCallMicrophone } from "../microphone/create-call-microphone.ts";
import { createDevices } from "../microphone/create-devices.ts";
import { testUserId } from "./new-test-call.ts";
import { plugInMicrophone } from "./plug-in-microphone.ts";
import { serveTestCalls } from "./serve-test-calls.ts";
import { createTestDriver } from "./test-driver.ts";

interface TestServer {
  microphoneRefusal?: string;
  teammates?: readonly Teammate[];
  /** Outside the organisation's opening hours. */
  isClosed?: boolean;
  isNight?: boolean;
}

/** A phone without WebRTC, and a server that keeps calls as the contract says and responds to fetch. */
export function openTestPhone({ microphoneRefusal, teammates, isClosed, isNight }: TestServer = {}) {
  plugInMicrophone(microphoneRefusal ?? null);
  const calls = new Map<string, Call>();
  const sounds: string[] = [];
  const { driver, refuseNextStart, refuseNextAnswer } = createTestDriver(calls, { isClosed, isNight });
  const server = serveTestCalls({ calls, teammates, isClosed, applyUpdate: (call) => phone.applyUpdate(call) });
  vi.stubGlobal("fetch", server.serve);

  const devices = createDevices();
  const phone = createPhone({
    driver,
    devices,
    microphone: createCallMicrophone(driver, devices),
    sounds: {
      dialing: { start: () => sounds.push("dialing"), stop: () => sounds.push("dialing stopped") },
      ringing: { start: () => sounds.push("ringing"), stop: () => sounds.push("ringing stopped") },
      key: () => sounds.push("key"),
      mute: (muted) => sounds.push(muted ? "mute on" : "mute off"),
      hangUp: () => sounds.push("hang up"),
      warning: () => sounds.push("warning"),
    },
  });
  phone.setUser(testUserId);
  const { digits, transfers, refuseNextTransfer, report } = server;
  return {
    phone,
    digits,
    sounds,
    transfers,
    refuseNextTransfer,
    refuseNextStart,
    /** Reports a change of the call to that number, as the server would. */
    reportOf: (phoneNumber: string, change: Partial<Call>) =>
      report([...calls.values()].find((call) => call.phoneNumber === phoneNumber)?.callSid ?? "", change),
    /** Reports a change of the live call, as the server would. */
    report: (change: Partial<Call>) => report(driver.callSid() ?? "", change),
    /** An inbound call that can't be answered. */
    ringInVain(call: Call, problem: ProblemError): void {
      refuseNextAnswer(problem);
      server.ring(call);
      phone.applyUpdate(call);
    },
  };
}
