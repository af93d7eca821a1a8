import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import type { Tx } from "../../../db/transaction.ts";
import { newRep, testAppWithCalls } from "../../../testing/test-calls.ts";
import type { CallDeps } from "../call-deps.ts";
import { createLiveCalls } from "../live-calls.ts";
import { endCall } from "./end-call.ts";

const app = testAppWithCalls();

test.each([
  ["unseen if its far end hasn't responded since", 60_000, true],
  ["seen if its far end has", null, false],
] as const)("a resumed call ends %s", async (_how, seenAgoMs, isUnseen) => {
  const rep = await newRep(app);
  const callSid = `CA${randomUUID().replaceAll("-", "")}`;
  const row = {
    call_sid: callSid,
    organisation_id: rep.organisationId,
    user_id: rep.id,
    direction: "outbound" as const,
    status: "in-progress" as const,
    answered_at: new Date(Date.now() - 120_000).toISOString(),
    phone_number: "+12025550100",
    phone_number_typed: "+12025550100",
    carrier: "sandbox",
    process_key: 0,
    resumed_unseen: true,
  };
  // In one transaction, so that no other process finds the call.
  await app.database.withTransaction(rep, async (tx) => {
    await tx.insertInto("calls").values(row).execute();
    const liveCalls = createLiveCalls();
    const deps = {
      liveCalls,
      mediaPlane: { close: async () => {} },
      carriers: { capabilities: () => ({ hold: true, transfer: true }) },
      database: { withTransaction: (_scope: unknown, work: (own: Tx) => Promise<unknown>) => work(tx) },
      log: { warn() {}, info() {} },
    } as unknown as CallDeps;
    const { organisationId, id: userId } = rep;
    const of = { callSid, organisationId, userId, carrierId: "sandbox", carrierLegId: "", connection: null };
    const live = liveCalls.begin({ ...of, startedAtMs: performance.now() - 120_000 });
    live.status = "in-progress";
    live.answeredAtMs = performance.now() - 120_000;
    live.seenBeforeAtMs = seenAgoMs && performance.now() - seenAgoMs;
    await endCall(deps, live, { reason: "hung-up-there", sip: null, q850: 16 });
    const ended = tx.selectFrom("calls").select(["status", "resumed_unseen"]).where("call_sid", "=", callSid);
    expect(await ended.executeTakeFirstOrThrow()).toEqual({ status: "completed", resumed_unseen: isUnseen });
  });
});
