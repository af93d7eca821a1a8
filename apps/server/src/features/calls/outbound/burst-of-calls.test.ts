import { openSipPeer } from "@leadline/carrier-sip-trunk/testing/sip-peer";
import { expect, onTestFinished, test, vi } from "vitest";
import { joinOrganisation, registerPerson } from "../../../testing/test-app.ts";
import { dial, newRep, type Rep, testAppWithCalls } from "../../../testing/test-calls.ts";

const app = testAppWithCalls();
const dials = 200;
/** With fewer, such as a carrier's usual 5, the test only takes longer. */
const perSecond = 20;

/** What a busy machine may deliver within one second. Without departures, it would be all of them. */
const deliveredPerSecond = 1.5 * perSecond;

/** Refuses new calls above its limit in any second, as the strictest carriers do. All callees are busy. */
async function startStrictCarrier() {
  const statuses = new Map<string, number>();
  const accepted: number[] = [];
  function judge(): number {
    const nowMs = performance.now();
    if (accepted.filter((atMs) => nowMs - atMs < 1_000).length >= deliveredPerSecond) return 503;
    accepted.push(nowMs);
    return 486;
  }
  const peer = await openSipPeer({
    onHeard(heard) {
      if (heard.what === "OPTIONS") return heard.reply(200);
      if (heard.what !== "INVITE") return;
      const callId = heard.header("call-id") ?? "";
      const status = statuses.get(callId) ?? judge();
      statuses.set(callId, status);
      heard.reply(status);
    },
  });
  onTestFinished(() => peer.close());
  return { port: peer.port, statuses };
}

test("200 calls at once all get through a carrier that accepts few a second, which refuses next to none", async () => {
  const owner = await newRep(app);
  const { token, organisationId } = owner;
  const reps: Rep[] = [owner];
  while (reps.length < dials) {
    const person = await registerPerson(app);
    await joinOrganisation(app, person, { organisationId, role: "member" });
    reps.push({ ...person, organisationId });
  }
  const more = { concurrentCalls: dials, callsPerMinute: dials, currentPassword: owner.password };
  expect((await app.ask("PUT", "/v1/limits", { token, body: more })).statusCode).toBe(200);
  const carrier = await startStrictCarrier();
  const settings = { host: `127.0.0.1:${carrier.port}`, transport: "udp", authentication: "ip" };
  const body = { kind: "sip-trunk", label: "Strict", settings, callsPerSecond: perSecond };
  expect((await app.ask("POST", "/v1/carriers", { token, body })).statusCode).toBe(201);

  const read = () =>
    app.database.withTransaction({ organisationId }, (tx) =>
      tx.selectFrom("calls").select(["status", "waits_for"]).where("organisation_id", "=", organisationId).execute(),
    );
  // They are shown why they wait.
  const isShown = vi.waitFor(async () => expect((await read()).map((call) => call.waits_for)).toContain("Strict"), {
    timeout: 60_000,
  });
  await Promise.all([isShown, ...reps.map((rep) => dial(app, rep, "+12025550103"))]);
  await vi.waitFor(async () => expect((await read()).filter(({ status }) => status === "busy")).toHaveLength(dials), {
    timeout: 200_000,
    interval: 500,
  });
  const answers = [...carrier.statuses.values()];
  expect(answers.filter((status) => status === 486)).toHaveLength(dials);
  expect(answers.length - dials).toBeLessThan(dials / 20);
});
