import type { Call } from "@leadline/contract/calls";
import { isLive } from "@leadline/contract/call-state";
import type { Teammate } from "@leadline/contract/transfers";
import { vi } from "vitest";
import { createPhone } from "../call/create-phone.ts";
import type { CallDriver } from "../drivers/call-driver.ts";
import { createCallMicrophone } from "../microphone/create-call-microphone.ts";
import { createDevices } from "../microphone/create-devices.ts";
import { ProblemError } from "../../data/problem-error.ts";
import { newTestCall, testUserId } from "./new-test-call.ts";
import { plugInMicrophone } from "./plug-in-microphone.ts";

const closed = new ProblemError({ code: "outside-hours", title: "Closed", detail: "It is closed.", status: 409 });
const connectionId = "0b0c3b8e-5a6d-4c39-9a39-6f5d0f1a0002";

interface TestServer {
  microphoneRefusal?: string;
  teammates?: readonly Teammate[];
  /** Outside the organisation's opening hours. */
  isClosed?: boolean;
}

/** A phone without WebRTC, and a server that keeps calls as the contract says and answers over fetch. */
export function openTestPhone(options: TestServer = {}) {
  plugInMicrophone(options.microphoneRefusal ?? null);
  const calls = new Map<string, Call>();
  const digits: string[] = [];
  const sounds: string[] = [];
  const changed = new Set<() => void>();
  let callSid: string | null = null;
  let refusal: ProblemError | null = null;
  let answerRefusal: ProblemError | null = null;
  let ringing: Call[] = [];
  const transfers: { phoneNumber?: string; leadId?: string; userId?: string }[] = [];
  let transferRefusal: [status: number, code: string, detail: string] | null = null;

  function report(sid: string, change: Partial<Call>): Call {
    const known = calls.get(sid);
    if (!known) throw new Error(`${sid} is no call of this server.`);
    const call = { ...known, revision: known.revision + 1, ...change };
    calls.set(sid, call);
    phone.see(call);
    return call;
  }

  async function serve(url: string, init: RequestInit): Promise<Response> {
    const [, sid = "", verb] = /\/v1\/calls\/(CA\d+)\/?([\w-]*)/.exec(url) ?? [];
    const body = typeof init.body === "string" ? JSON.parse(init.body) : {};
    if (url.endsWith("/v1/teammates")) return Response.json(options.teammates ?? []);
    if (verb === "digits") {
      digits.push(body.digits);
      return new Response(null, { status: 204 });
    }
    if (verb === "transfer" && init.method === "DELETE") {
      const { transfer } = calls.get(sid) ?? {};
      if (!transfer) throw new Error(`${sid} is not being transferred.`);
      report(sid, { transfer: { ...transfer, status: "refused", refusal: "taken-back" } });
      return new Response(null, { status: 204 });
    }
    if (verb === "transfer") {
      transfers.push(body);
      if (transferRefusal) {
        const [status, code, detail] = transferRefusal;
        transferRefusal = null;
        return Response.json({ type: `/api/docs#${code}`, title: "Refused", status, detail }, { status });
      }
      const to = {
        phoneNumber: body.phoneNumber ?? "",
        member: body.userId ? { userId: body.userId, name: "Ada Byron" } : null,
        leads: [],
        attended: false,
      };
      const transfer = { ...to, status: "asked" as const, refusal: null, sip: null };
      return Response.json(report(sid, { transfer }));
    }
    if (verb === "consultation") {
      report(sid, { held: true });
      const more = { mediaConnectionId: connectionId, line: 2, answeredAt: null } as const;
      const teammate = body.userId ? { callerId: "Ada Byron", ringsFor: body.userId, carrier: "teammate" } : {};
      const second = newTestCall(body.phoneNumber ?? "", calls.size + 1, { ...more, ...teammate });
      calls.set(second.callSid, second);
      phone.see(second);
      return Response.json({ callSid: second.callSid }, { status: 201 });
    }
    const beside = [...calls.values()].find(
      (call) => call.callSid !== sid && call.line !== null && isLive(call.status),
    );
    if (verb === "join" || verb === "complete-transfer") {
      const both = [calls.get(sid), beside].filter((call) => call !== undefined);
      const [first, second] = both.toSorted((one, other) => (one.line ?? 0) - (other.line ?? 0));
      if (!first || !second) throw new Error("There are no two calls to join.");
      const joined = { held: false, ...(verb === "complete-transfer" && { line: null, mediaConnectionId: null }) };
      const { phoneNumber } = second;
      const to = {
        phoneNumber,
        member: null,
        leads: second.leads,
        attended: true,
        status: "taken",
        refusal: null,
        sip: null,
      } as const;
      report(first.callSid, { ...joined, joinedWith: second, ...(verb === "complete-transfer" && { transfer: to }) });
      report(second.callSid, { ...joined, joinedWith: first });
      return Response.json(calls.get(sid));
    }
    if (verb === "hang-up") {
      const answered = calls.get(sid)?.status === "in-progress";
      const cause = { reason: answered ? "hung-up-here" : "canceled", sip: null, q850: null } as const;
      return Response.json(report(sid, { status: answered ? "completed" : "canceled", cause, durationMs: 9000 }));
    }
    if (init.method === "PATCH") {
      const isJoined = beside !== undefined && calls.get(sid)?.joinedWith?.callSid === beside.callSid;
      if (body.held === false && beside && !isJoined) report(beside.callSid, { held: true });
      return Response.json(report(sid, body));
    }
    return Response.json(sid ? calls.get(sid) : ringing);
  }
  vi.stubGlobal("fetch", serve);

  const driver: CallDriver = {
    state: () => "ready",
    obstacle: () => null,
    callSid: () => callSid,
    connectionId: () => connectionId,
    onChange: (listener) => {
      changed.add(listener);
      return () => changed.delete(listener);
    },
    keepWarm() {},
    coolDown() {},
    async start({ phoneNumber, askWhenClosed }) {
      if (refusal) throw refusal;
      if (options.isClosed && askWhenClosed) throw closed;
      const call = newTestCall(phoneNumber, calls.size + 1, { mediaConnectionId: connectionId });
      calls.set(call.callSid, call);
      callSid = call.callSid;
      for (const listener of changed) listener();
      return { callSid };
    },
    async attach() {},
    async answer() {
      if (answerRefusal) throw answerRefusal;
    },
    follow(told) {
      if (told.mediaConnectionId !== connectionId || told.callSid === callSid) return;
      callSid = told.callSid;
      for (const listener of changed) listener();
    },
    release() {
      callSid = null;
      for (const listener of changed) listener();
    },
    async setMicrophone() {},
    resumeSound() {},
    soundBlocked: () => false,
    async setSpeaker() {},
    readSound: async () => null,
  };
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
  return {
    phone,
    digits,
    sounds,
    /** To whom transfers were asked for. */
    transfers,
    refuseNextTransfer: (...refused: NonNullable<typeof transferRefusal>) => void (transferRefusal = refused),
    /** The server tells of the call to that number. */
    reportOf: (phoneNumber: string, change: Partial<Call>) =>
      report([...calls.values()].find((call) => call.phoneNumber === phoneNumber)?.callSid ?? "", change),
    /** The server tells of the call that is on. */
    report: (change: Partial<Call>) => report(callSid ?? "", change),
    /** Somebody calls in, and nobody can take it. */
    ringInVain(call: Call, problem: ProblemError): void {
      answerRefusal = problem;
      ringing = [call];
      phone.see(call);
    },
    refuseNextStart: (problem: ProblemError) => {
      refusal = problem;
    },
  };
}
