import { randomUUID } from "node:crypto";
import type { Call } from "@leadline/contract/calls";
import { describe, expect, test } from "vitest";
import { leavePastCalls } from "../../../testing/past-calls.ts";
import { joinOrganisation, registerPerson, type TestPerson } from "../../../testing/test-app.ts";
import { dial, newRep, type Rep, testAppWithCalls, waitForStatus } from "../../../testing/test-calls.ts";

const app = testAppWithCalls();
const dispose = (person: TestPerson, callSid: string, body: object) =>
  app.ask("PUT", `/v1/calls/${callSid}/disposition`, { token: person.token, body });
const outcomesOf = async (person: TestPerson): Promise<{ id: string; name: string }[]> =>
  (await app.ask("GET", "/v1/call-outcomes", { token: person.token })).json();
const listed = async (person: TestPerson, query: string): Promise<string[]> =>
  (await app.ask("GET", `/v1/calls?${query}`, { token: person.token })).json().map((call: Call) => call.callSid);

describe("a call's disposition", () => {
  test("can be set during and after the call, field by field, and is sent to every tab", async () => {
    const rep = await newRep(app);
    const [interested] = await outcomesOf(rep);
    const callSid = await dial(app, rep, "+12025550100");
    const live = await waitForStatus(app, rep, { callSid, status: "in-progress" });
    expect(live).toMatchObject({ note: "", outcome: null, leads: [], followUpOn: null, costMicros: 0 });
    expect(live.setupMs).toBeGreaterThan(0);
    expect(live.setupMs).toBeLessThan(10_000);
    expect((await dispose(rep, callSid, { note: "Asks for a quote" })).json()).toMatchObject({
      note: "Asks for a quote",
      status: "in-progress",
    });
    await app.ask("POST", `/v1/calls/${callSid}/hang-up`, { token: rep.token });
    const after = await dispose(rep, callSid, { outcomeId: interested?.id, followUpOn: "2126-03-29" });
    const disposed = { note: "Asks for a quote", outcome: { name: "Interested" }, followUpOn: "2126-03-29" };
    expect(after.json()).toMatchObject({ ...disposed, status: "completed", setupMs: live.setupMs });
    const told = await app.database.withTransaction({ organisationId: rep.organisationId }, (tx) =>
      tx.selectFrom("live_events").select("data").orderBy("id", "desc").executeTakeFirst(),
    );
    expect(told?.data).toMatchObject({ callSid, ...disposed });
    const cleared = await dispose(rep, callSid, { note: "", outcomeId: null, followUpOn: null });
    expect(cleared.json()).toMatchObject({ note: "", outcome: null, followUpOn: null });
    expect((await dispose(rep, callSid, {})).statusCode).toBe(200);
  });

  test("can be written by the call's person and admins, read by colleagues, and is hidden from strangers", async () => {
    const rep = await newRep(app);
    const [admin, member, stranger] = [await registerPerson(app), await registerPerson(app), await newRep(app)];
    await joinOrganisation(app, admin, { organisationId: rep.organisationId, role: "admin" });
    await joinOrganisation(app, member, { organisationId: rep.organisationId, role: "member" });
    const [ownersCall, membersCall] = await leavePastCalls(app, rep, [
      { at: "2026-01-14T10:00:00Z" },
      { at: "2026-01-14T10:01:00Z", userId: member.id },
    ]);
    expect((await dispose(admin, ownersCall ?? "", { note: "By an admin" })).statusCode).toBe(200);
    expect((await dispose(member, membersCall ?? "", { note: "By its person" })).statusCode).toBe(200);
    const refused = await dispose(member, ownersCall ?? "", { note: "By a colleague" });
    expect([refused.statusCode, refused.json().detail]).toEqual([
      403,
      "Only the person who was on the call, or an admin, can change its note and outcome.",
    ]);
    expect((await dispose(stranger, ownersCall ?? "", { note: "By a stranger" })).statusCode).toBe(404);
    const seen = await app.ask("GET", `/v1/calls/${ownersCall}`, { token: member.token });
    expect(seen.json().note).toBe("By an admin");
  });

  test("accepts only outcomes on the organisation's list; an archived one can stay but not be chosen again", async () => {
    const rep = await newRep(app);
    const stranger = await newRep(app);
    const [interested, callBack] = await outcomesOf(rep);
    const [foreign] = await outcomesOf(stranger);
    const [first, second] = await leavePastCalls(app, rep, [
      { at: "2026-01-14T10:00:00Z" },
      { at: "2026-01-14T11:00:00Z" },
    ]);
    for (const outcomeId of [foreign?.id, randomUUID()]) {
      const refused = await dispose(rep, first ?? "", { outcomeId });
      expect(refused.statusCode).toBe(422);
      expect(refused.json().detail).toBe("This outcome is no longer offered. Choose another.");
    }
    await dispose(rep, first ?? "", { outcomeId: interested?.id });
    await app.ask("DELETE", `/v1/call-outcomes/${interested?.id}`, { token: rep.token });
    expect((await dispose(rep, first ?? "", { outcomeId: interested?.id, note: "Still" })).statusCode).toBe(200);
    expect((await dispose(rep, second ?? "", { outcomeId: interested?.id })).statusCode).toBe(422);
    expect((await dispose(rep, second ?? "", { outcomeId: callBack?.id })).statusCode).toBe(200);
  });

  test("sets a callback for the next working day with an outcome to call back, unless a day is set or given", async () => {
    const rep = await newRep(app);
    const lead = { firstName: "Bob", lastName: "Stone", email: "bob@stone.example", phone: "(202) 555-0100" };
    await app.ask("POST", "/v1/leads", { token: rep.token, body: lead });
    const openingHours = [{ day: "saturday", opensAt: "10:00", closesAt: "14:30" }];
    await app.ask("PUT", `/v1/organisations/${rep.organisationId}`, { token: rep.token, body: { openingHours } });
    const [interested, callBack] = await outcomesOf(rep);
    const [callSid = "", withheld = ""] = await leavePastCalls(app, rep, [
      { at: "2026-01-14T10:00:00Z" },
      { at: "2026-01-14T11:00:00Z", direction: "inbound", phoneNumber: "" },
    ]);
    const dayAfter = async (body: object): Promise<string> => (await dispose(rep, callSid, body)).json().followUpOn;
    expect(await dayAfter({ outcomeId: interested?.id })).toBeNull();
    const set = await dayAfter({ outcomeId: callBack?.id });
    expect(new Date(set).getUTCDay()).toBe(6);
    expect(Date.parse(set)).toBeGreaterThan(Date.now() - 24 * 3_600_000);
    const due = await app.ask("GET", "/v1/follow-ups", { token: rep.token });
    expect(due.json()).toMatchObject([{ followUpOn: set, lead: { lastName: "Stone" } }]);
    const again = async (followUpOn: string | null) => {
      await dispose(rep, callSid, { outcomeId: interested?.id, followUpOn });
      return dayAfter({ outcomeId: callBack?.id });
    };
    expect(await again("2199-12-31")).toBe("2199-12-31");
    await app.database.withTransaction({ organisationId: rep.organisationId }, (tx) =>
      tx.updateTable("leads").set({ follow_up_on: "2026-01-14" }).execute(),
    );
    await dispose(rep, callSid, { outcomeId: interested?.id });
    expect(new Date(await dayAfter({ outcomeId: callBack?.id })).getUTCDay()).toBe(6);
    // A removed callback stays removed, because the outcome isn't chosen again.
    await dispose(rep, callSid, { followUpOn: null });
    expect(await dayAfter({ outcomeId: callBack?.id })).toBeNull();
    await dispose(rep, callSid, { outcomeId: null });
    expect(await dayAfter({ outcomeId: callBack?.id, followUpOn: null })).toBeNull();
    expect((await dispose(rep, withheld, { outcomeId: callBack?.id })).json().followUpOn).toBeNull();
  });

  test("keeps a callback that is set for later today, with an outcome to call back", async () => {
    const rep = await newRep(app);
    const lead = { firstName: "Bob", lastName: "Stone", email: "bob@stone.example", phone: "(202) 555-0100" };
    await app.ask("POST", "/v1/leads", { token: rep.token, body: lead });
    // A time zone where it is shortly after noon now.
    const hoursEast = 12 - new Date().getUTCHours();
    const timeZone = `Etc/GMT${hoursEast > 0 ? "-" : "+"}${Math.abs(hoursEast)}`;
    await app.ask("PUT", `/v1/organisations/${rep.organisationId}`, { token: rep.token, body: { timeZone } });
    const [callSid = ""] = await leavePastCalls(app, rep, [{ at: "2026-01-14T10:00:00Z" }]);
    const today = new Date(Date.now() + hoursEast * 3_600_000).toISOString().slice(0, 10);
    await dispose(rep, callSid, { followUpOn: today, followUpTime: "18:00" });
    const [, callBack] = await outcomesOf(rep);
    const disposed = await dispose(rep, callSid, { outcomeId: callBack?.id });
    expect(disposed.json()).toMatchObject({ followUpOn: today, followUpTime: "18:00" });
  });

  test("accepts notes of 5,000 characters in any script, and refuses longer ones with a clear error", async () => {
    const rep = await newRep(app);
    const [callSid] = await leavePastCalls(app, rep, [{ at: "2026-01-14T10:00:00Z" }]);
    const note = "字".repeat(5000);
    expect((await dispose(rep, callSid ?? "", { note })).json().note).toBe(note);
    const refused = await dispose(rep, callSid ?? "", { note: `${note}字` });
    expect([refused.statusCode, refused.json().detail]).toEqual([422, "Keep a note under 5,000 characters."]);
    expect((await dispose(rep, callSid ?? "", { followUpOn: "2026-02-30" })).json().detail).toBe("Choose a day.");
  });
});

describe("the call log", () => {
  async function log(): Promise<{ rep: Rep; sids: string[]; interested: string; colleague: TestPerson }> {
    const rep = await newRep(app);
    const colleague = await registerPerson(app);
    await joinOrganisation(app, colleague, { organisationId: rep.organisationId, role: "member" });
    const interested = (await outcomesOf(rep))[0]?.id ?? "";
    const sids = await leavePastCalls(app, rep, [
      { at: "2026-01-14T10:00:00Z", talkMs: 1000, phoneNumber: "+4930123456", outcomeId: interested },
      { at: "2026-01-14T11:00:00Z", status: "busy", phoneNumber: "+12025550103" },
      { at: "2026-01-15T10:00:00Z", talkMs: 1000, phoneNumber: "+12025550100", userId: colleague.id },
      { at: "2026-01-16T10:00:00Z", direction: "inbound", phoneNumber: "+12025550100", outcomeId: interested },
    ]);
    return { rep, sids, interested, colleague };
  }

  test("applies each filter, and several together", async () => {
    const { rep, sids, interested, colleague } = await log();
    const [berlin, busy, answered, missed] = sids;
    const cases: [query: string, found: (string | undefined)[]][] = [
      ["direction=inbound", [missed]],
      ["direction=outbound", [answered, busy, berlin]],
      ["status=busy", [busy]],
      ["answered=true", [answered, berlin]],
      ["answered=false&direction=inbound", [missed]],
      ["missed=true", [missed]],
      [`userId=${colleague.id}`, [answered]],
      ["from=2026-01-14T11:00:00Z&to=2026-01-16T10:00:00Z", [answered, busy]],
      [`outcomeId=${interested}`, [missed, berlin]],
      ["outcomeId=none", [answered, busy]],
      ["phoneNumber=%2B1%20202%20555%200100", [missed, answered]],
      ["phoneNumber=030%20123", [berlin]],
      ["phoneNumber=555", [missed, answered, busy]],
      ["phoneNumber=%25", [missed, answered, busy, berlin]],
      [`outcomeId=${interested}&from=2026-01-15T00:00:00Z&phoneNumber=555`, [missed]],
      ["status=failed", []],
    ];
    for (const [query, found] of cases) expect({ query, found: await listed(rep, query) }).toEqual({ query, found });
    expect((await app.ask("GET", "/v1/calls?status=asleep", { token: rep.token })).statusCode).toBe(422);
    expect(await listed(await newRep(app), `userId=${rep.id}`)).toEqual([]);
  });

  test("searches lead names, digits of numbers, and notes", async () => {
    const rep = await newRep(app);
    const lead = { firstName: "Bob", lastName: "Stone", email: "bob@stone.example", phone: "(202) 555-0100" };
    await app.ask("POST", "/v1/leads", { token: rep.token, body: lead });
    const at = "2026-01-14T10:00:00Z";
    await leavePastCalls(app, rep, [
      { at, phoneNumber: "+12025550100" },
      { at, phoneNumber: "+12025550101", note: "Möchte 50% Rabatt 🚀🚀" },
    ]);
    const found = async (search: string) =>
      (await app.ask("GET", `/v1/calls?search=${encodeURIComponent(search)}`, { token: rep.token }))
        .json()
        .map(({ phoneNumber }: Call) => phoneNumber.slice(-4));
    expect(await found("stone")).toEqual(["0100"]);
    expect(await found("sto bob")).toEqual(["0100"]);
    expect(await found("wood")).toEqual([]);
    expect(await found("555 0101")).toEqual(["0101"]);
    expect(await found("mochte rabatt")).toEqual(["0101"]);
    expect(await found("50%")).toEqual(["0101"]);
    expect(await found("🚀🚀")).toEqual(["0101"]);
    for (const nowhere of ["%%", "__", "**", "++", "🚀🚁", "51%"]) expect(await found(nowhere)).toEqual([]);
    for (const tooShort of ["s", "🚀"]) expect(await found(tooShort)).toEqual(["0101", "0100"]);
  });

  test("keeps its filters from page to page", async () => {
    const rep = await newRep(app);
    const sids = await leavePastCalls(
      app,
      rep,
      Array.from({ length: 7 }, (_, i) => ({
        at: `2026-01-14T10:0${i}:00Z`,
        ...(i % 2 === 0 ? { talkMs: 1000 } : {}),
        phoneNumber: "+4930123456",
      })),
    );
    const seen: string[] = [];
    let next: string | undefined = "/v1/calls?limit=2&answered=true&phoneNumber=%2B49%2030%20123456";
    let pages = 0;
    while (next !== undefined) {
      const page = await app.ask("GET", next, { token: rep.token });
      seen.push(...page.json().map((call: Call) => call.callSid));
      next = /<\/api([^>]+)>; rel="next"/.exec(String(page.headers["link"] ?? ""))?.[1];
      pages += 1;
    }
    expect(seen).toEqual([sids[6], sids[4], sids[2], sids[0]]);
    expect(pages).toBe(3);
  });
});
