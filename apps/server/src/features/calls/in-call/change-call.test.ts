import { CallStatus, isLive } from "@leadline/contract/call-state";
import { expect, test } from "vitest";
import { leavePastCalls } from "../../../testing/past-calls.ts";
import { testApp } from "../../../testing/test-app.ts";
import { newRep } from "../../../testing/test-calls.ts";
import { changeCall } from "../calls.table.ts";

const app = testApp();
const ended = CallStatus.exclude(["queued", "ringing", "in-progress"]).options;
const live = CallStatus.options.filter(isLive);

test.each(ended)("a change meant for live calls leaves a call that is %s unchanged", async (status) => {
  const rep = await newRep(app);
  const { organisationId } = rep;
  const [callSid = ""] = await leavePastCalls(app, rep, [{ at: new Date().toISOString(), status }]);
  const [late, meant] = await app.database.withTransaction({ organisationId }, async (tx) => [
    await changeCall(tx, callSid, live, { muted: true }),
    await changeCall(tx, callSid, [status], { muted: true }),
  ]);
  expect([late, meant]).toMatchObject([null, { status, muted: true }]);
});
