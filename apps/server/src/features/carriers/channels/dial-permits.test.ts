import { randomInt } from "node:crypto";
import { carrier as sandbox } from "@leadline/carrier-sandbox/server";
import type { Carrier } from "@leadline/adapter-kit/carrier";
import { openSipTrunk } from "@leadline/carrier-sip-trunk/open-sip-trunk";
import { carrier as sipTrunk } from "@leadline/carrier-sip-trunk/server";
import { startRawPeer } from "@leadline/carrier-sip-trunk/testing/start-raw-peer";
import { expect, onTestFinished, test, vi } from "vitest";
import { puppets, stringed } from "../../../testing/puppet-carrier.ts";
import { dial, newRep, readCall, type Rep, testAppWithCalls, waitForStatus } from "../../../testing/test-calls.ts";
import { countLegs } from "../count-legs.ts";
import { waitForTurn, gapMsOf, reserveChannel } from "./dial-permits.ts";

/** As with a provider on the Internet, whose caller IDs the operator doesn't vouch for. */
const trunk: typeof sipTrunk = {
  ...sipTrunk,
  open: (settings, listener, shared) => openSipTrunk(settings, { listener, ...shared, vouchesFor: () => false }),
};
const app = testAppWithCalls([sandbox, stringed, trunk]);

const request = { callSid: "CA1", to: "+12025550100", callerId: null, offer: "", onEvent: () => {} };

/** A permit for a carrier without limits, which needs no database. */
async function permitFor(id: string) {
  const carrier = { id, callsPerSecond: null, channels: null };
  const channel = await reserveChannel(app.database, { organisationId: "", carrier, user: { callSid: "CA1" } });
  if (!channel) throw new Error("There is no free channel.");
  return waitForTurn(channel);
}

test("a carrier calls no number without a permit of its own that is unused", async () => {
  const sent: string[] = [];
  const plain: Carrier = {
    async dial({ to }) {
      sent.push(to);
      return { hangUp: async () => {}, transfer: ({ to: target }) => void sent.push(String(target)) };
    },
    close: async () => {},
  };
  const carrier = await countLegs("one", Promise.resolve(plain)).carrier;
  // @ts-expect-error: forgotten.
  await expect(carrier.dial(request)).rejects.toThrow(/needs a permit/);
  await expect(carrier.dial({ ...request, permit: await permitFor("other") })).rejects.toThrow(/of its own carrier/);
  const permit = await permitFor("one");
  const leg = await carrier.dial({ ...request, permit });
  await expect(carrier.dial({ ...request, permit })).rejects.toThrow(/for one call/);
  const transfer = { to: "+12025550199", onEvent: () => {} };
  // @ts-expect-error: forgotten.
  expect(() => leg.transfer?.(transfer)).toThrow(/needs a permit/);
  expect(() => leg.transfer?.({ ...transfer, permit })).toThrow(/for one call/);
  leg.transfer?.({ ...transfer, permit: await permitFor("one") });
  expect(sent).toEqual(["+12025550100", "+12025550199"]);
});

test.each([0.5, 1, 5, 15, 100])(
  "at %d calls a second, one call too many leaves 1.1 s after the first, which leaves 100 ms for the network",
  (perSecond) => expect(gapMsOf(perSecond) * Math.max(1, perSecond)).toBeGreaterThanOrEqual(1_100 - 1e-6),
);

async function connect(rep: Rep, carrier: object): Promise<string> {
  const made = await app.ask("POST", "/v1/carriers", { token: rep.token, body: { label: "Provider", ...carrier } });
  expect(made.statusCode).toBe(201);
  return made.json().id;
}
const allow = (rep: Rep, id: string, limits: { callsPerSecond?: number | null; channels?: number | null }) =>
  app.ask("PUT", `/v1/carriers/${id}`, { token: rep.token, body: limits });

/** When the carrier may be called next, and how many lines are held apart from calls. */
const linesOf = ({ organisationId }: Rep, carrierId: string) =>
  app.database.withTransaction({ organisationId }, async (tx) => {
    const { next_call_at: next } = await tx
      .selectFrom("trunk_lines")
      .select("next_call_at")
      .where("carrier_id", "=", carrierId)
      .executeTakeFirstOrThrow();
    const held = await tx.selectFrom("trunk_line_holds").selectAll().where("carrier_id", "=", carrierId).execute();
    return { nextAtMs: Date.parse(next), held: held.length };
  });

test("a call that verifies a caller ID takes a line and its turn, and none while all lines are in use", async () => {
  const [rep, peer] = [await newRep(app), await startRawPeer()];
  onTestFinished(() => peer.close());
  const callerId = `+1202${randomInt(2_000_000, 10_000_000)}`;
  const settings = { host: `127.0.0.1:${peer.port}`, transport: "udp", authentication: "ip", callerId };
  const id = await connect(rep, { kind: "sip-trunk", settings, callsPerSecond: 5, channels: 1 });
  const verify = () => app.ask("POST", `/v1/carriers/${id}/caller-id/call`, { token: rep.token });

  const callSid = await dial(app, rep, "+12025550100");
  const ringing = await peer.next("INVITE");
  // Otherwise it is sent again.
  peer.reply(ringing, "100 Trying");
  const { nextAtMs } = await linesOf(rep, id);
  expect((await verify()).json().detail).toMatch(/^All lines at Provider are in use/);
  const ours = (message: { header(name: string): string | undefined }) =>
    message.header("call-id") === ringing.header("call-id");
  expect(peer.all("INVITE").filter((invite) => !ours(invite))).toEqual([]);
  peer.reply(ringing, "486 Busy Here");
  await waitForStatus(app, rep, { callSid, status: "busy" });

  const inviting = peer.next((message) => message.what === "INVITE" && !ours(message));
  const verifying = verify();
  const invite = await inviting;
  const during = await linesOf(rep, id);
  expect(during.nextAtMs).toBeGreaterThan(nextAtMs);
  expect(during.held).toBe(1);
  peer.reply(invite, "486 Busy Here");
  expect((await verifying).json().detail).toMatch(/is busy/);
  expect((await linesOf(rep, id)).held).toBe(0);
});

test("a transfer to a number takes a line and its turn for the target, and waits while all lines are in use", async () => {
  const rep = await newRep(app);
  const id = await connect(rep, { kind: "stringed", settings: { line: "1" }, callsPerSecond: 5, channels: 1 });
  const callSid = await dial(app, rep, "+12025550101");
  await waitForStatus(app, rep, { callSid, status: "in-progress" });
  const puppet = puppets.get(callSid);
  const transfer = () =>
    app.ask("POST", `/v1/calls/${callSid}/transfer`, { token: rep.token, body: { phoneNumber: "+12025550199" } });
  const until = (expected: object, timeout = 5_000) =>
    vi.waitFor(async () => expect(await readCall(app, rep, callSid)).toMatchObject(expected), { timeout });

  expect((await transfer()).statusCode).toBe(200);
  await until({ waitsFor: "Provider", transfer: { status: "asked" } });
  await until({ waitsFor: null, transfer: { status: "refused", refusal: "lines-in-use" } }, 20_000);
  expect(puppet?.sentTo).toEqual([]);

  await allow(rep, id, { channels: 2 });
  const { nextAtMs } = await linesOf(rep, id);
  await transfer();
  await vi.waitFor(() => expect(puppet?.sentTo).toEqual(["+12025550199"]));
  const during = await linesOf(rep, id);
  expect(during.nextAtMs).toBeGreaterThan(nextAtMs);
  expect(during.held).toBe(1);
  puppet?.say({ type: "refused", why: { reason: "busy", sip: 486 } });
  await vi.waitFor(async () => expect((await linesOf(rep, id)).held).toBe(0));
  await app.ask("POST", `/v1/calls/${callSid}/hang-up`, { token: rep.token });
});
