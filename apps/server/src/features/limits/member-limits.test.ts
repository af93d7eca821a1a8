import type { LimitBreach, MemberLimits } from "@leadline/contract/limits";
import { startRawPeer } from "@leadline/carrier-sip-trunk/testing/start-raw-peer";
import { expect, onTestFinished, test } from "vitest";
import { carrierModules } from "../../adapters.ts";
import { joinOrganisation, registerPerson, type TestPerson } from "../../testing/test-app.ts";
import { dial, newRep, type Rep, testAppWithCalls, waitForStatus } from "../../testing/test-calls.ts";

const app = testAppWithCalls(carrierModules);

const call = (by: TestPerson, phoneNumber = "+12025550100") =>
  app.ask("POST", "/v1/calls", { token: by.token, body: { phoneNumber } });
const hangUp = (by: TestPerson, callSid: string) =>
  app.ask("POST", `/v1/calls/${callSid}/hang-up`, { token: by.token });
const set = (by: TestPerson, of: TestPerson, body: Partial<MemberLimits> & { currentPassword?: string }) =>
  app.ask("PUT", `/v1/limits/members/${of.id}`, { token: by.token, body });

async function team(role: "member" | "admin" = "member"): Promise<{ owner: Rep; member: TestPerson }> {
  const [owner, member] = [await newRep(app), await registerPerson(app)];
  await joinOrganisation(app, member, { organisationId: owner.organisationId, role });
  return { owner, member };
}

test("a member’s own limits refuse only their calls, and say whose limit it is", async () => {
  const { owner, member } = await team();
  const organisation = { allowedCountries: ["DE", "US"], currentPassword: owner.password };
  await app.ask("PUT", "/v1/limits", { token: owner.token, body: organisation });
  const none = { allowedCountries: null, blockedPrefixes: [], dailySpend: null, ratePerMinute: null };
  const cases: [Partial<MemberLimits>, string, string, string?][] = [
    [{ allowedCountries: ["DE"] }, "country-not-allowed", "Your own limits don’t allow calls to the United States."],
    [
      { blockedPrefixes: ["+1202"] },
      "prefix-blocked",
      "Your own limits don’t allow calls to numbers that start with +1202.",
    ],
    [{ ratePerMinute: 0 }, "rate-too-high", "Your own limits don’t allow calls that cost more than $0.00 a minute"],
    [{ dailySpend: 0 }, "limit-reached", "Your own daily spending limit is $0, which blocks all calls."],
    // The first minute costs 3 cents.
    [{ dailySpend: 10_000 }, "limit-reached", "You’ve reached your own daily spending limit.", "+4930901820"],
  ];
  for (const [limits, code, sentence, phoneNumber] of cases) {
    const changed = await set(owner, member, { ...none, ...limits, currentPassword: owner.password });
    expect(changed.json()).toMatchObject(limits);
    const refused = await call(member, phoneNumber);
    expect([limits, refused.json().type]).toEqual([limits, `/api/docs#${code}`]);
    expect(refused.json().detail).toContain(sentence);
  }
  const { callSid } = (await call(owner)).json();
  await hangUp(owner, callSid);
  const own = (await app.ask("GET", "/v1/limits", { token: member.token })).json().own;
  expect(own).toMatchObject({ dailySpend: 10_000, blockedPrefixes: [], concurrentCalls: null });
  const listed = await app.ask("GET", "/v1/limits/members", { token: owner.token });
  expect(listed.json()).toEqual([{ userId: member.id, limits: own }]);
});

test("a limit on the price per minute or on the day's spending refuses a call whose price isn’t known", async () => {
  const { owner, member } = await team();
  const peer = await startRawPeer();
  onTestFinished(() => peer.close());
  const settings = { host: `127.0.0.1:${peer.port}`, authentication: "ip" };
  const trunk = { kind: "sip-trunk", label: "Trunk", settings };
  expect((await app.ask("POST", "/v1/carriers", { token: owner.token, body: trunk })).statusCode).toBe(201);
  const limit = (change: object) =>
    app.ask("PUT", "/v1/limits", { token: owner.token, body: { ...change, currentPassword: owner.password } });
  const refusal = async (by: TestPerson) => (await call(by)).json();
  await limit({ ratePerMinute: 10_000_000 });
  expect(await refusal(owner)).toMatchObject({
    type: "/api/docs#rate-unknown",
    detail:
      "Your organisation doesn’t allow calls whose price isn’t known. An admin can add a rate for the number under Settings, Carriers, Rates.",
  });
  // The daily limit that nobody has set lets a new trunk's first calls through.
  await limit({ ratePerMinute: null });
  const { callSid } = await refusal(owner);
  expect(callSid).toBeTruthy();
  await hangUp(owner, callSid);
  await set(owner, member, { dailySpend: 1_000_000 });
  expect((await refusal(member)).detail).toContain("You have a daily spending limit, which can’t count this call");
  expect((await limit({ dailySpend: 50_000_000 })).json()).toMatchObject({ dailySpendIsDefault: false });
  expect(await refusal(owner)).toMatchObject({
    type: "/api/docs#rate-unknown",
    detail:
      "Your organisation has a daily spending limit, which can’t count this call because its price isn’t known. An admin can add a rate for the number under Settings, Carriers, Rates.",
  });
  const breaches = (await app.ask("GET", "/v1/limits/breaches", { token: owner.token })).json();
  expect(breaches.map(({ limit: name, isMembers }: LimitBreach) => [name, isMembers])).toEqual([
    ["daily-spend", false],
    ["daily-spend", true],
    ["rate-per-minute", false],
  ]);
});

test("a member’s calls are counted separately: at once, per minute, and with those of transfers", async () => {
  const { owner, member } = await team();
  await set(owner, member, { concurrentCalls: 1, callsPerMinute: 2 });
  const ofOwner = await dial(app, owner, "+12025550100");
  const callSid = await dial(app, member, "+12025550100");
  await waitForStatus(app, member, { callSid, status: "in-progress" });
  const body = { phoneNumber: "+12025550101" };
  const second = await app.ask("POST", `/v1/calls/${callSid}/consultation`, { token: member.token, body });
  expect(second.json().detail).toContain("You’ve reached your own limit of 1 simultaneous call.");
  const transferred = await app.ask("POST", `/v1/calls/${callSid}/transfer`, { token: member.token, body });
  expect(transferred.statusCode).toBe(200);
  await hangUp(member, callSid);
  const third = await call(member);
  expect(third.json().detail).toContain("You’ve reached your own limit of 2 calls a minute.");
  expect(third.headers["retry-after"]).toBe("60");
  await hangUp(owner, ofOwner);
});

test("a member’s limits can’t be wider than the organisation’s, and stay stricter when those are lowered", async () => {
  const { owner, member } = await team();
  const wider = { concurrentCalls: 11, dailySpend: 50_010_000, allowedCountries: ["GB", "US"] };
  const refused = await set(owner, member, { ...wider, currentPassword: owner.password });
  expect(refused.statusCode).toBe(422);
  expect(
    refused
      .json()
      .errors.map(({ field }: { field: string }) => field)
      .toSorted(),
  ).toEqual(Object.keys(wider).toSorted());
  expect((await set(owner, member, { concurrentCalls: 10 })).statusCode).toBe(200);
  await app.ask("PUT", "/v1/limits", { token: owner.token, body: { dailySpend: 0 } });
  expect((await call(member)).json().detail).toContain("Your organisation’s daily spending limit is $0");
});

test("raising or removing a member’s limit requires a password, lowering doesn’t, and leaving lifts none", async () => {
  const { owner, member } = await team();
  expect((await set(owner, member, { concurrentCalls: 3 })).statusCode).toBe(200);
  expect((await set(owner, member, { concurrentCalls: 2 })).statusCode).toBe(200);
  for (const raised of [3, null]) {
    const refused = await set(owner, member, { concurrentCalls: raised });
    expect([refused.statusCode, refused.json().type]).toEqual([403, "/api/docs#password-required"]);
  }
  await app.ask("DELETE", `/v1/members/${member.id}`, { token: owner.token });
  expect((await app.ask("GET", "/v1/limits/members", { token: owner.token })).json()).toEqual([]);
  await joinOrganisation(app, member, { organisationId: owner.organisationId, role: "member" });
  const own = (await app.ask("GET", "/v1/limits", { token: member.token })).json().own;
  expect(own).toMatchObject({ concurrentCalls: 2 });
  const removed = await set(owner, member, { concurrentCalls: null, currentPassword: owner.password });
  expect(removed.json()).toMatchObject({ concurrentCalls: null });
});

test("an admin can limit members and other admins, not owners, and nobody outside the organisation", async () => {
  const { owner, member: admin } = await team("admin");
  const stranger = await newRep(app);
  const refused = await set(admin, owner, { concurrentCalls: 1 });
  expect([refused.statusCode, refused.json().detail]).toEqual([403, "Only an owner can change an owner’s limits."]);
  expect((await set(admin, admin, { concurrentCalls: 1 })).statusCode).toBe(200);
  expect((await set(owner, stranger, { concurrentCalls: 1 })).statusCode).toBe(404);
});
