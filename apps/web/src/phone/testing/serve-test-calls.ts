import { isLive } from "@leadline/contract/call-state";
import type { Call } from "@leadline/contract/calls";
import type { Teammate } from "@leadline/contract/transfers";
import { newTestCall, testConnectionId } from "./new-test-call.ts";

interface TestCalls {
  calls: Map<string, Call>;
  teammates?: readonly Teammate[] | undefined;
  /** Outside the organisation's opening hours. */
  isClosed?: boolean | undefined;
  /** The server reports a call. */
  applyUpdate: (call: Call) => void;
}

/** A server that keeps calls as the contract says; `serve` replaces fetch. */
export function serveTestCalls({ calls, teammates = [], isClosed = false, applyUpdate }: TestCalls) {
  const digits: string[] = [];
  const transfers: { phoneNumber?: string; leadId?: string; userId?: string }[] = [];
  let ringing: Call[] = [];
  let transferRefusal: [status: number, code: string, detail: string] | null = null;

  function report(sid: string, change: Partial<Call>): Call {
    const known = calls.get(sid);
    if (!known) throw new Error(`${sid} is no call of this server.`);
    const call = { ...known, revision: known.revision + 1, ...change };
    calls.set(sid, call);
    applyUpdate(call);
    return call;
  }

  async function serve(url: string, init: RequestInit): Promise<Response> {
    const [, sid = "", verb] = /\/v1\/calls\/(CA\d+)\/?([\w-]*)/.exec(url) ?? [];
    const body = typeof init.body === "string" ? JSON.parse(init.body) : {};
    if (url.endsWith("/v1/teammates")) return Response.json(teammates);
    if (url.includes("/v1/rates/number")) return Response.json({ rate: null, description: "", isSandbox: false });
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
    if (["transfer", "consultation"].includes(verb ?? "") && isClosed && body.askWhenClosed) {
      const detail = "Your organisation is closed now.";
      return Response.json(
        { type: "/api/docs#outside-hours", title: "Conflict", status: 409, detail },
        { status: 409 },
      );
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
      const more = { mediaConnectionId: testConnectionId, line: 2, answeredAt: null } as const;
      const teammate = body.userId ? { callerId: "Ada Byron", ringsFor: body.userId, carrier: "teammate" } : {};
      const second = newTestCall(body.phoneNumber ?? "", calls.size + 1, { ...more, ...teammate });
      calls.set(second.callSid, second);
      applyUpdate(second);
      return Response.json({ callSid: second.callSid }, { status: 201 });
    }
    const otherCall = [...calls.values()].find(
      (call) => call.callSid !== sid && call.line !== null && isLive(call.status),
    );
    if (verb === "join" || verb === "complete-transfer") {
      const both = [calls.get(sid), otherCall].filter((call) => call !== undefined);
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
      const isJoined = otherCall !== undefined && calls.get(sid)?.joinedWith?.callSid === otherCall.callSid;
      if (body.held === false && otherCall && !isJoined) report(otherCall.callSid, { held: true });
      return Response.json(report(sid, body));
    }
    return Response.json(sid ? calls.get(sid) : ringing);
  }
  return {
    serve,
    report,
    digits,
    /** The requested transfer destinations. */
    transfers,
    refuseNextTransfer: (...refused: NonNullable<typeof transferRefusal>) => void (transferRefusal = refused),
    ring: (call: Call): void => void (ringing = [call]),
  };
}
