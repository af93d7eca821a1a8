import type { CallOutcome } from "@leadline/contract/call-outcomes";
import type { DoNotCallEntry } from "@leadline/contract/do-not-call";
import { describe, expect, test } from "vitest";
import { leavePastCalls } from "../../testing/past-calls.ts";
import { joinOrganisation, registerPerson } from "../../testing/test-app.ts";
import { dial, newRep, type Rep, testAppWithCalls } from "../../testing/test-calls.ts";

const app = testAppWithCalls();
const list = async (rep: Rep, query = ""): Promise<DoNotCallEntry[]> =>
  (await app.ask("GET", `/v1/do-not-call?${query}`, { token: rep.token })).json();
const add = (rep: Rep, phoneNumber: string) =>
  app.ask("POST", "/v1/do-not-call", { token: rep.token, body: { phoneNumber } });
const remove = (rep: Rep, phoneNumber: string) =>
  app.ask("DELETE", `/v1/do-not-call/${encodeURIComponent(phoneNumber)}`, { token: rep.token });
const call = (rep: Rep, phoneNumber: string) =>
  app.ask("POST", "/v1/calls", { token: rep.token, body: { phoneNumber } });
async function colleagueOf(rep: Rep): Promise<Rep> {
  const person = await registerPerson(app);
  await joinOrganisation(app, person, { organisationId: rep.organisationId, role: "member" });
  return { ...person, organisationId: rep.organisationId };
}
async function outcomes(rep: Rep): Promise<{ doNotCall: CallOutcome; other: CallOutcome }> {
  const all: CallOutcome[] = (await app.ask("GET", "/v1/call-outcomes", { token: rep.token })).json();
  const [doNotCall, other] = [all.find((one) => one.doNotCall), all.find((one) => !one.doNotCall)];
  if (!doNotCall || !other) throw new Error("a new organisation has both kinds");
  return { doNotCall, other };
}
const dispose = (rep: Rep, callSid: string | undefined, outcomeId: string | null) =>
  app.ask("PUT", `/v1/calls/${callSid}/disposition`, { token: rep.token, body: { outcomeId } });

describe("a number on the do-not-call list", () => {
  test("can't be called by anyone in the organisation, in any spelling, and no call is stored", async () => {
    const rep = await newRep(app);
    expect((await add(rep, "(202) 555-0100")).json()).toMatchObject({ phoneNumber: "+12025550100", leads: [] });
    for (const [who, typed] of [
      [rep, "+12025550100"],
      [await colleagueOf(rep), "202 555 0100"],
    ] as const) {
      const refused = await call(who, typed);
      expect(refused.statusCode).toBe(403);
      expect(refused.json()).toMatchObject({
        type: "/api/docs#do-not-call",
        title: "Do not call",
        detail: expect.stringMatching(/^\+1 202 555 0100 is on your organisation’s do-not-call list\. Robin/),
      });
    }
    expect((await app.ask("GET", "/v1/calls", { token: rep.token })).json()).toEqual([]);
    const elsewhere = await newRep(app);
    await dial(app, elsewhere, "+12025550100");
  });

  test("can be called again once it is removed from the list", async () => {
    const rep = await newRep(app);
    await add(rep, "+12025550100");
    expect((await remove(rep, "+12025550100")).statusCode).toBe(204);
    expect((await remove(rep, "+12025550100")).statusCode).toBe(404);
    await dial(app, rep, "+12025550100");
  });

  test("is removed by who added it or an admin, and by no other member", async () => {
    const owner = await newRep(app);
    const [first, second] = [await colleagueOf(owner), await colleagueOf(owner)];
    await add(first, "+12025550100");
    await add(first, "+12025550101");
    const refused = await remove(second, "+12025550100");
    expect(refused.statusCode).toBe(403);
    expect(refused.json().detail).toBe("Only Robin Tester, who added it, or an admin can remove it.");
    expect((await remove(first, "+12025550100")).statusCode).toBe(204);
    expect((await remove(owner, "+12025550101")).statusCode).toBe(204);
  });

  test("must be a valid number and is listed once: adding it again says that it is listed", async () => {
    const rep = await newRep(app);
    expect((await add(rep, "12")).json()).toMatchObject({ status: 422, title: "Not a phone number" });
    expect((await add(rep, "+12025550100")).json()).toMatchObject({ alreadyListed: false });
    const again = await add(await colleagueOf(rep), "(202) 555-0100");
    expect(again.json()).toMatchObject({ phoneNumber: "+12025550100", alreadyListed: true });
    expect(await list(rep)).toMatchObject([{ phoneNumber: "+12025550100", userId: rep.id }]);
  });
});

describe("the outcome that means do not call", () => {
  const at = "2026-01-14T10:00:00Z";
  const phoneNumber = "+12025550100";

  test("stays listed while another call of it has such an outcome, whichever is corrected first", async () => {
    const rep = await newRep(app);
    const { doNotCall, other } = await outcomes(rep);
    const sids = await leavePastCalls(app, rep, [
      { at, phoneNumber },
      { at, phoneNumber },
    ]);
    for (const [first, second] of [sids, sids.toReversed()]) {
      for (const sid of sids) await dispose(rep, sid, doNotCall.id);
      await dispose(rep, first, other.id);
      expect(await list(rep)).toHaveLength(1);
      await dispose(rep, second, other.id);
      expect(await list(rep)).toEqual([]);
    }
  });

  test("isn't removed by a correction if someone has added it by hand since", async () => {
    const rep = await newRep(app);
    const colleague = await colleagueOf(rep);
    const { doNotCall } = await outcomes(rep);
    const [callSid] = await leavePastCalls(app, rep, [{ at, phoneNumber, userId: colleague.id }]);
    await dispose(colleague, callSid, doNotCall.id);
    expect((await add(rep, phoneNumber)).json()).toMatchObject({ userId: rep.id });
    await dispose(colleague, callSid, null);
    expect(await list(rep)).toMatchObject([{ phoneNumber, userId: rep.id }]);
  });

  test("can't be removed by a member if an admin added it, neither by a correction nor by adding it again", async () => {
    const admin = await newRep(app);
    const member = await colleagueOf(admin);
    const { doNotCall } = await outcomes(admin);
    const [callSid] = await leavePastCalls(app, admin, [{ at, phoneNumber, userId: member.id }]);
    await dispose(admin, callSid, doNotCall.id);
    expect((await dispose(member, callSid, null)).statusCode).toBe(200);
    expect((await add(member, phoneNumber)).json()).toMatchObject({ userId: admin.id });
    expect((await remove(member, phoneNumber)).statusCode).toBe(403);
    expect((await remove(admin, phoneNumber)).statusCode).toBe(204);
    // The same if an admin adds it after a member.
    await add(member, phoneNumber);
    await dispose(admin, callSid, doNotCall.id);
    expect((await remove(member, phoneNumber)).statusCode).toBe(403);
  });

  test("is listed by the call's outcome, and removed by a different one", async () => {
    const rep = await newRep(app);
    const { doNotCall, other } = await outcomes(rep);
    expect(doNotCall.name).toBe("Do not call");
    const [callSid] = await leavePastCalls(app, rep, [{ at: "2026-01-14T10:00:00Z", phoneNumber: "+12025550100" }]);
    await dispose(rep, callSid, doNotCall.id);
    expect((await call(rep, "+12025550100")).statusCode).toBe(403);
    await dispose(rep, callSid, other.id);
    expect(await list(rep)).toEqual([]);
    // An entry added by hand stays.
    await add(rep, "+12025550100");
    await dispose(rep, callSid, doNotCall.id);
    await dispose(rep, callSid, null);
    expect(await list(rep)).toHaveLength(1);
  });

  test("can be any outcome that an admin marks", async () => {
    const rep = await newRep(app);
    const { other } = await outcomes(rep);
    const path = `/v1/call-outcomes/${other.id}`;
    const changed = await app.ask("PUT", path, { token: rep.token, body: { doNotCall: true } });
    expect(changed.json()).toMatchObject({ id: other.id, doNotCall: true });
    const [callSid] = await leavePastCalls(app, rep, [{ at: "2026-01-14T10:00:00Z", phoneNumber: "+12025550100" }]);
    await dispose(rep, callSid, other.id);
    expect(await list(rep)).toHaveLength(1);
  });
});

test("lists the newest first with the leads that have the numbers, searchable by digits, page by page", async () => {
  const rep = await newRep(app);
  const lead = { firstName: "Bob", lastName: "Stone", email: "bob@stone.example", phone: "+12025550101" };
  await app.ask("POST", "/v1/leads", { token: rep.token, body: lead });
  for (const last of ["0", "1", "2"]) await add(rep, `+1202555010${last}`);
  const all = await list(rep);
  expect(all.map(({ phoneNumber }) => phoneNumber.at(-1))).toEqual(["2", "1", "0"]);
  expect(all[1]?.leads).toMatchObject([{ firstName: "Bob", lastName: "Stone" }]);
  expect(await list(rep, "phoneNumber=0101")).toHaveLength(1);
  const page = await app.ask("GET", "/v1/do-not-call?limit=2", { token: rep.token });
  const next = /<\/api([^>]+)>/.exec(String(page.headers["link"]))?.[1] ?? "";
  const rest = await app.ask("GET", next as `/${string}`, { token: rep.token });
  expect(rest.json().map(({ phoneNumber }: DoNotCallEntry) => phoneNumber)).toEqual(["+12025550100"]);
});
