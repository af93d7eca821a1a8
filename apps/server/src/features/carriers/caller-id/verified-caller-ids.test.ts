import { randomInt, randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { CarrierModule } from "@leadline/adapter-kit/carrier";
import { openSipTrunk } from "@leadline/carrier-sip-trunk/open-sip-trunk";
import { carrier as sipTrunk } from "@leadline/carrier-sip-trunk/server";
import { type RawPeer, startRawPeer } from "@leadline/carrier-sip-trunk/testing/start-raw-peer";
import { startRawRtp } from "@leadline/carrier-sip-trunk/testing/start-raw-rtp";
import { expect, onTestFinished, test, vi } from "vitest";
import { carrierModules, provisioners } from "../../../adapters.ts";
import { newRep, type Rep, testAppWithCalls } from "../../../testing/test-calls.ts";

/** The trunk as with a provider on the Internet, whose caller IDs the operator doesn't vouch for. */
const trunk: CarrierModule<typeof sipTrunk.settings> = {
  ...sipTrunk,
  open: (settings, listener, shared) => openSipTrunk(settings, { listener, ...shared, vouchesFor: () => false }),
};
const app = testAppWithCalls([...carrierModules.filter(({ id }) => id !== trunk.id), trunk]);

const newNumber = (): string => `+1202${randomInt(2_000_000, 10_000_000)}`;
const settingsOf = (peers: readonly RawPeer[], given: object) => ({
  host: peers.map(({ host, port }) => `${host}:${port}`).join(", "),
  transport: "udp",
  authentication: "ip",
  ...given,
});

async function openPeer(host = "127.0.0.1"): Promise<RawPeer> {
  const peer = await startRawPeer({ host });
  onTestFinished(() => peer.close());
  return peer;
}

async function connect(rep: Rep, peers: readonly RawPeer[], given: object): Promise<string> {
  const settings = settingsOf(peers, given);
  const body = { kind: "sip-trunk", label: "Provider", settings };
  const made = await app.ask("POST", "/v1/carriers", { token: rep.token, body });
  expect(made.statusCode).toBe(201);
  return made.json().id;
}

const callToVerify = (rep: Rep, id: string) =>
  app.ask("POST", `/v1/carriers/${id}/caller-id/call`, { token: rep.token });
const verify = (rep: Rep, id: string, code: string) =>
  app.ask("POST", `/v1/carriers/${id}/caller-id/code`, { token: rep.token, body: { code } });
const callerIdOf = async (rep: Rep, id: string) =>
  (await app.ask("GET", "/v1/carriers", { token: rep.token })).json().find((one: { id: string }) => one.id === id)
    ?.callerId;

/** The caller ID shown to the callee of a new call. */
async function shownTo(peer: RawPeer, rep: Rep): Promise<string> {
  const inviting = peer.next("INVITE");
  const body = { phoneNumber: "+12025550100" };
  const started = await app.ask("POST", "/v1/calls", { token: rep.token, body });
  expect(started.statusCode).toBe(201);
  const invite = await inviting;
  peer.reply(invite, "486 Busy Here");
  await vi.waitFor(async () => {
    const call = await app.ask("GET", `/v1/calls/${started.json().callSid}`, { token: rep.token });
    expect(call.json().status).toBe("busy");
  });
  return /sip:([^@]+)@/.exec(invite.header("from") ?? "")?.[1] ?? "nobody";
}

const clip = (name: string | number) => readFileSync(join(import.meta.dirname, "spoken", `${name}.ulaw`));
const spoken = Array.from({ length: 10 }, (_, digit) => ({ digit, sound: clip(digit) }));

/** The first six digits in the audio, recognised by their sound. */
function digitsIn(heard: Buffer): string {
  const found = spoken.flatMap(({ digit, sound }) => {
    const places: { digit: number; at: number }[] = [];
    for (let at = heard.indexOf(sound); at >= 0; at = heard.indexOf(sound, at + 1)) places.push({ digit, at });
    return places;
  });
  return found
    .toSorted((one, other) => one.at - other.at)
    .slice(0, 6)
    .map(({ digit }) => digit)
    .join("");
}

/** Answers the verification call, and listens until six digits were read out. */
async function answerAndListen(
  peer: RawPeer,
  rep: Rep,
  id: string,
): Promise<{ code: string; to: string; from: string }> {
  const rtp = await startRawRtp();
  onTestFinished(() => rtp.close());
  const inviting = peer.next("INVITE");
  const calling = callToVerify(rep, id);
  const invite = await inviting;
  peer.reply(invite, "180 Ringing");
  peer.reply(invite, "200 OK", { body: rtp.describe() });
  const answer = await calling;
  expect({ status: answer.statusCode, body: answer.json() }).toMatchObject({ status: 201 });
  const code = await vi.waitFor(
    () => {
      const digits = digitsIn(Buffer.concat(rtp.received.map(({ payload }) => payload)));
      expect(digits).toHaveLength(6);
      return digits;
    },
    { timeout: 30_000, interval: 250 },
  );
  peer.request(peer.asCallee(invite), "BYE", { cseq: 1 });
  return { code, to: invite.header("to") ?? "", from: invite.header("from") ?? "" };
}

test("an entered number is shown to nobody until a call to it has verified it", async () => {
  const [rep, peer, number] = [await newRep(app), await openPeer(), newNumber()];
  const id = await connect(rep, [peer], { callerId: number });
  expect(await callerIdOf(rep, id)).toEqual({ number, unverifiedAt: ["127.0.0.1"] });
  expect(await shownTo(peer, rep)).toBe("leadline");

  const { code, to, from } = await answerAndListen(peer, rep, id);
  expect(to).toContain(number);
  expect(from).not.toContain(number);
  const wrong = await verify(rep, id, String((Number(code) + 1) % 1_000_000).padStart(6, "0"));
  expect(wrong.json()).toMatchObject({ status: 409, type: "/api/docs#caller-id-not-verified" });
  expect(await shownTo(peer, rep)).toBe("leadline");

  const right = await verify(rep, id, code);
  expect(right.json()).toMatchObject({ id, callerId: { number, unverifiedAt: [] } });
  expect(await shownTo(peer, rep)).toBe(number);
  // A code works once, and only for its own number.
  expect((await verify(rep, id, code)).statusCode).toBe(409);
  const settings = settingsOf([peer], { callerId: newNumber() });
  await app.ask("PUT", `/v1/carriers/${id}`, { token: rep.token, body: { settings } });
  expect(await shownTo(peer, rep)).toBe("leadline");
});

test("a number is verified only for the server that the call went to", async () => {
  const [rep, own, provider] = [await newRep(app), await openPeer(), await openPeer("127.0.0.2")];
  const number = newNumber();
  const id = await connect(rep, [own, provider], { callerId: number });
  const { code } = await answerAndListen(own, rep, id);
  expect((await verify(rep, id, code)).json().callerId).toEqual({ number, unverifiedAt: ["127.0.0.2"] });
  const settings = settingsOf([provider], { callerId: number });
  await app.ask("PUT", `/v1/carriers/${id}`, { token: rep.token, body: { settings } });
  expect(await shownTo(provider, rep)).toBe("leadline");
});

test("five wrong attempts invalidate a code, and only owners may try", async () => {
  const [rep, peer] = [await newRep(app), await openPeer()];
  const id = await connect(rep, [peer], { callerId: newNumber() });
  const stranger = await newRep(app);
  expect((await callToVerify(stranger, id)).statusCode).toBe(404);
  expect((await verify(stranger, id, "000000")).statusCode).toBe(404);
  const { code } = await answerAndListen(peer, rep, id);
  const wrong = String((Number(code) + 1) % 1_000_000).padStart(6, "0");
  for (let tries = 0; tries < 5; tries++) expect((await verify(rep, id, wrong)).statusCode).toBe(409);
  expect((await verify(rep, id, code)).json().detail).toContain("no longer valid");
});

test("a call that isn't answered says why, and verifies nothing", async () => {
  const [rep, peer, number] = [await newRep(app), await openPeer(), newNumber()];
  const id = await connect(rep, [peer], { callerId: number });
  const inviting = peer.next("INVITE");
  const calling = callToVerify(rep, id);
  peer.reply(await inviting, "486 Busy Here");
  expect((await calling).json()).toMatchObject({ status: 409, detail: `${number} is busy. Try again in a moment.` });
  const limits = { token: rep.token };
  const abroad = settingsOf([peer], { callerId: "+819012345678" });
  await app.ask("PUT", `/v1/carriers/${id}`, { ...limits, body: { settings: abroad } });
  expect((await callToVerify(rep, id)).json().type).toContain("country-not-allowed");
  expect(peer.all("INVITE")).toHaveLength(1);
});

/** A new organisation's attempt at that provider, whose server answers with these responses; the response's status. */
async function attemptElsewhere(peer: RawPeer, number: string, responses: readonly string[]): Promise<number> {
  const rep = await newRep(app);
  const id = await connect(rep, [peer], { callerId: number, authentication: "digest", user: "u", password: "p" });
  const before = peer.all("INVITE").length;
  const calling = callToVerify(rep, id);
  const inviting = peer.next("INVITE").then((invite) => responses.forEach((status) => peer.reply(invite, status)));
  await Promise.race([calling, inviting]);
  const { statusCode } = await calling;
  expect(peer.all("INVITE").length - before).toBe(statusCode === 429 ? 0 : 1);
  await app.ask("DELETE", `/v1/carriers/${id}`, { token: rep.token });
  return statusCode;
}

test("a number rings for verification at most five times per period, even for different users", async () => {
  const [peer, number] = [await openPeer(), newNumber()];
  const ring = () => attemptElsewhere(peer, number, ["180 Ringing", "486 Busy Here"]);
  for (let calls = 0; calls < 5; calls++) expect(await ring()).toBe(409);
  expect(await ring()).toBe(429);
});

test("strangers can't use up the attempts of a number's owner, at their own server or with calls that never ring", async () => {
  const [provider, strangers, number] = [await openPeer(), await openPeer("127.0.0.3"), newNumber()];
  for (let calls = 0; calls < 5; calls++) {
    expect(await attemptElsewhere(strangers, number, ["180 Ringing", "486 Busy Here"])).toBe(409);
    expect(await attemptElsewhere(provider, number, ["403 Forbidden"])).toBe(409);
  }
  expect(await attemptElsewhere(provider, number, ["180 Ringing", "486 Busy Here"])).toBe(409);
});

test("an organisation calls one number at most five times per period, whether it rings or not", async () => {
  const [rep, peer] = [await newRep(app), await openPeer()];
  const id = await connect(rep, [peer], { callerId: newNumber() });
  for (let calls = 0; calls < 5; calls++) {
    const calling = callToVerify(rep, id);
    peer.reply(await peer.next("INVITE"), "486 Busy Here");
    expect((await calling).statusCode).toBe(409);
  }
  expect((await callToVerify(rep, id)).statusCode).toBe(429);
});

/** Numbers that another organisation's trunk to this host can't have. */
async function refusedElsewhere(stranger: Rep, peer: RawPeer, number: string): Promise<string[]> {
  const fields: string[] = [];
  for (const [field, value] of Object.entries({ callerId: number, numbers: [number] })) {
    const body = { kind: "sip-trunk", label: "Theirs", settings: settingsOf([peer], { [field]: value }) };
    const answer = await app.ask("POST", "/v1/carriers", { token: stranger.token, body });
    if (answer.statusCode === 422) fields.push(...answer.json().errors.map((each: { field: string }) => each.field));
    else await app.ask("DELETE", `/v1/carriers/${answer.json().id}`, { token: stranger.token });
  }
  return fields;
}

test("a number bought in the sandbox is shown elsewhere only once verified, and can be on another organisation's trunk", async () => {
  const [rep, peer, stranger] = [await newRep(app), await openPeer(), await newRep(app)];
  const found = await app.ask("GET", "/v1/phone-numbers/available?countryCode=US", { token: rep.token });
  const [{ number }, { number: spare }] = found.json();
  for (const each of [number, spare]) {
    const bought = await app.ask("POST", "/v1/phone-numbers", { token: rep.token, body: { number: each } });
    expect(bought.statusCode).toBe(201);
  }
  const id = await connect(rep, [peer], { callerId: number });
  expect(await callerIdOf(rep, id)).toEqual({ number, unverifiedAt: ["127.0.0.1"] });
  expect(await shownTo(peer, rep)).toBe("leadline");
  expect(await refusedElsewhere(stranger, await openPeer("127.0.0.2"), spare)).toEqual([]);
});

/** An account that has these numbers, and the trunk that its calls go through. */
async function haveAccount(rep: Rep, { numbers, carrierId }: { numbers: string[]; carrierId: string }) {
  const { organisationId } = rep;
  const [accountId, vendor] = [randomUUID(), provisioners[0]?.module.id ?? ""];
  const inOrganisation = { organisation_id: organisationId };
  await app.database.withTransaction({ organisationId }, async (tx) => {
    const values = { ...inOrganisation, vendor, label: "Calls", state: "failed", carrier_id: carrierId } as const;
    await tx
      .insertInto("carrier_accounts")
      .values({ ...values, id: accountId, local_port: randomInt(20_000, 60_000), is_sandbox: false })
      .execute();
    const held = { account_id: accountId, connection_id: carrierId, carrier: vendor, state: "owned" } as const;
    const acquired_at = new Date().toISOString();
    const toRow = (number: string, at: number) => ({
      ...inOrganisation,
      ...held,
      id: randomUUID(),
      number,
      acquired_at,
      is_caller_id: at === 0,
    });
    await tx.insertInto("phone_numbers").values(numbers.map(toRow)).execute();
  });
  return {
    becomeSandbox: () =>
      app.database.withTransaction({ organisationId }, async (tx) => {
        await tx.updateTable("carrier_accounts").set({ is_sandbox: true }).where("id", "=", accountId).execute();
        await tx.updateTable("phone_numbers").set({ of_sandbox: true }).where("account_id", "=", accountId).execute();
      }),
  };
}

test("a number bought from an account needs no verification and can't be on another organisation's trunk, unless the account is a sandbox", async () => {
  const [rep, peer, stranger] = [await newRep(app), await openPeer(), await newRep(app)];
  const [number, spare, elsewhere] = [newNumber(), newNumber(), await openPeer("127.0.0.2")];
  const carrierId = await connect(rep, [elsewhere], { callerId: number });
  const id = await connect(rep, [peer], { callerId: number });
  const use = (only: string) => app.ask("PUT", "/v1/carriers/order", { token: rep.token, body: { ids: [only] } });
  const { becomeSandbox } = await haveAccount(rep, { numbers: [number, spare], carrierId });
  await use(id);
  expect(await callerIdOf(rep, id)).toEqual({ number, unverifiedAt: [] });
  expect(await shownTo(peer, rep)).toBe(number);
  expect((await callToVerify(rep, id)).json().type).toContain("not-supported");
  const third = await openPeer("127.0.0.3");
  expect(await refusedElsewhere(stranger, third, spare)).toEqual(["settings.callerId", "settings.numbers"]);

  await becomeSandbox();
  expect(await callerIdOf(rep, id)).toEqual({ number, unverifiedAt: ["127.0.0.1"] });
  expect(await shownTo(peer, rep)).toBe("leadline");
  expect(await refusedElsewhere(stranger, third, spare)).toEqual([]);
  // On its own trunk, the sandbox's number is shown.
  await use(carrierId);
  expect(await callerIdOf(rep, carrierId)).toEqual({ number, unverifiedAt: [] });
  expect(await shownTo(elsewhere, rep)).toBe(number);
});
