import type { FollowUp } from "@leadline/contract/follow-ups";
import { expect, test } from "vitest";
import { leavePastCalls } from "../../testing/past-calls.ts";
import { joinOrganisation, registerPerson } from "../../testing/test-app.ts";
import { newRep, readCall, type Rep, testAppWithCalls } from "../../testing/test-calls.ts";

const app = testAppWithCalls();
const list = async (rep: Rep, query = ""): Promise<FollowUp[]> =>
  (await app.ask("GET", `/v1/follow-ups?${query}`, { token: rep.token })).json();
const followUp = (rep: Rep, callSid: string | undefined, followUpOn: string | null) =>
  app.ask("PUT", `/v1/calls/${callSid}/disposition`, { token: rep.token, body: { followUpOn } });
const at = "2026-01-14T10:00:00Z";

async function addLead(rep: Rep, lead: { lastName: string; phoneNumber: string; followUpOn?: string }) {
  const added = await app.database.withTransaction({ organisationId: rep.organisationId }, (tx) =>
    tx
      .insertInto("leads")
      .values({
        organisation_id: rep.organisationId,
        first_name: "Bob",
        last_name: lead.lastName,
        email: "bob@example.com",
        phone: "030 111 111",
        phone_number: lead.phoneNumber,
        follow_up_on: lead.followUpOn ?? null,
        integration_id: null,
        external_id: null,
      })
      .returning("id")
      .executeTakeFirstOrThrow(),
  );
  return added.id;
}

test("a day set in a lead's call is the lead's, and shows on every call with that number", async () => {
  const rep = await newRep(app);
  const leadId = await addLead(rep, { lastName: "Stone", phoneNumber: "+4930111111" });
  const [earlier, latest] = await leavePastCalls(app, rep, [
    { at, phoneNumber: "+4930111111" },
    { at: "2026-01-15T10:00:00Z", phoneNumber: "+4930111111" },
  ]);
  const lead = { id: leadId, firstName: "Bob", lastName: "Stone" };
  expect((await followUp(rep, latest, "2126-02-01")).json()).toMatchObject({
    followUpOn: "2126-02-01",
    leads: [{ ...lead, status: "New" }],
  });
  expect((await readCall(app, rep, earlier ?? "")).followUpOn).toBe("2126-02-01");
  expect(await list(rep)).toMatchObject([
    { followUpOn: "2126-02-01", phoneNumber: "+4930111111", lead, lastCall: { callSid: latest } },
  ]);
  await followUp(rep, latest, null);
  expect(await list(rep)).toEqual([]);
});

test("a number of no lead, or of several, has its own callback day", async () => {
  const rep = await newRep(app);
  for (const lastName of ["Stone", "Wood"]) await addLead(rep, { lastName, phoneNumber: "+4930222222" });
  const [unknown, shared] = await leavePastCalls(app, rep, [
    { at, phoneNumber: "+4930111111" },
    { at, phoneNumber: "+4930222222" },
  ]);
  await followUp(rep, unknown, "2126-02-02");
  expect((await followUp(rep, shared, "2126-02-01")).json()).toMatchObject({
    followUpOn: "2126-02-01",
    leads: [{ lastName: "Wood" }, { lastName: "Stone" }],
  });
  expect((await list(rep)).map(({ phoneNumber, lead }) => [phoneNumber, lead])).toEqual([
    ["+4930222222", null],
    ["+4930111111", null],
  ]);
  // Once a lead has the number, the lead's day replaces it.
  await addLead(rep, { lastName: "Iron", phoneNumber: "+4930111111", followUpOn: "2126-01-20" });
  expect((await list(rep)).map(({ followUpOn, lead }) => [followUpOn, lead?.lastName])).toEqual([
    ["2126-01-20", "Iron"],
    ["2126-02-01", undefined],
  ]);
});

test("shows the newest note even if later calls have none, and the leads that share the number", async () => {
  const rep = await newRep(app);
  const [bob] = [await addLead(rep, { lastName: "Stone", phoneNumber: "+4930222222", followUpOn: "2126-02-01" })];
  await leavePastCalls(app, rep, [
    { at, phoneNumber: "+4930111111", note: "Ask for Eve" },
    { at, phoneNumber: "+4930222222", note: "Wants a quote", leadId: bob },
    { at, phoneNumber: "+4930111111" },
    { at, phoneNumber: "+4930222222", leadId: bob },
  ]);
  for (const lastName of ["Wood", "Iron"]) await addLead(rep, { lastName, phoneNumber: "+4930111111" });
  const body = { followUpOn: "2126-02-02" };
  await app.ask("PUT", "/v1/follow-ups/+4930111111", { token: rep.token, body });
  expect(await list(rep)).toMatchObject([
    { lead: { lastName: "Stone" }, leads: [], note: "Wants a quote", lastCall: { note: "" } },
    { lead: null, leads: [{ lastName: "Iron" }, { lastName: "Wood" }], note: "Ask for Eve" },
  ]);
});

test("lists callbacks from the longest overdue to the requested day, with the last call's outcome and note", async () => {
  const rep = await newRep(app);
  const [outcome] = (await app.ask("GET", "/v1/call-outcomes", { token: rep.token })).json();
  const sids = await leavePastCalls(
    app,
    rep,
    [1, 2, 3].map((n) => ({ at, phoneNumber: `+493011111${n}`, outcomeId: outcome.id })),
  );
  for (const [index, callSid] of sids.entries()) await followUp(rep, callSid, `2126-02-0${9 - index}`);
  const days = async (query: string) => (await list(rep, query)).map(({ followUpOn }) => followUpOn);
  expect(await days("")).toEqual(["2126-02-07", "2126-02-08", "2126-02-09"]);
  expect(await days("until=2126-02-08")).toEqual(["2126-02-07", "2126-02-08"]);
  expect(await days("limit=1")).toEqual(["2126-02-07"]);
  const [first] = await list(rep);
  expect(first?.lastCall).toEqual({
    callSid: sids[2],
    createdAt: "2026-01-14T10:00:00.000000Z",
    userName: "Robin Tester",
    note: "",
    outcomeName: "Interested",
  });
  expect(await list(await newRep(app))).toEqual([]);
});

test("any member can finish a number's callback, whoever called last; an unknown number is not found", async () => {
  const rep = await newRep(app);
  const [callSid] = await leavePastCalls(app, rep, [{ at, phoneNumber: "+4930111111" }]);
  await followUp(rep, callSid, "2126-02-01");
  const colleague = await registerPerson(app);
  await joinOrganisation(app, colleague, { organisationId: rep.organisationId, role: "member" });
  const set = (token: string, phoneNumber: string, followUpOn: string | null) =>
    app.ask("PUT", `/v1/follow-ups/${phoneNumber}`, { token, body: { followUpOn } });
  expect((await set(colleague.token, "+4930111111", null)).statusCode).toBe(204);
  expect(await list(rep)).toEqual([]);
  expect((await set(colleague.token, "+4930111111", "2126-02-03")).statusCode).toBe(204);
  expect(await list(rep)).toMatchObject([{ followUpOn: "2126-02-03", phoneNumber: "+4930111111" }]);
  expect((await set(colleague.token, "+4930999999", null)).statusCode).toBe(404);
});

test("refuses a past day for a number as for a lead, but can restore one that was just removed", async () => {
  const rep = await newRep(app);
  const lead = { lastName: "Stone", phoneNumber: "+4930222222", followUpOn: "2020-02-03" };
  const id = await addLead(rep, lead);
  await leavePastCalls(app, rep, [{ at, phoneNumber: "+4930333333" }]);
  const ofLead = (body: object) => app.ask("PUT", `/v1/leads/${id}`, { token: rep.token, body });
  const ofNumber = (body: object) => app.ask("PUT", "/v1/follow-ups/+4930333333", { token: rep.token, body });
  expect((await ofLead({ followUpOn: null })).statusCode).toBe(200);
  for (const set of [ofLead, ofNumber]) {
    const refused = await set({ followUpOn: "2020-02-03" });
    expect(refused.json().errors).toEqual([{ field: "followUpOn", message: "Choose today or a later day." }]);
    expect((await set({ followUpOn: "2020-02-03", putBack: true })).statusCode).toBeLessThan(300);
  }
  expect(await list(rep)).toMatchObject([{ followUpOn: "2020-02-03" }, { followUpOn: "2020-02-03" }]);
});

test("has a time and an owner, by default its author, and the list can be limited to the caller's own", async () => {
  const rep = await newRep(app);
  const colleague = await registerPerson(app);
  await joinOrganisation(app, colleague, { organisationId: rep.organisationId, role: "member" });
  const [first, second] = await leavePastCalls(app, rep, [
    { at, phoneNumber: "+4930111111" },
    { at, phoneNumber: "+4930222222" },
  ]);
  const bob = await addLead(rep, { lastName: "Stone", phoneNumber: "+4930222222" });
  const set = async (callSid: string | undefined, body: object) =>
    (await app.ask("PUT", `/v1/calls/${callSid}/disposition`, { token: rep.token, body })).json();
  const mine = { userId: rep.id, name: "Robin Tester" };
  const theirs = { userId: colleague.id, name: "Robin Tester" };
  const day = "2126-02-01";
  expect(await set(first, { followUpOn: day })).toMatchObject({ followUpTime: null, followUpOwner: mine });
  const later = { followUpOn: day, followUpTime: "15:30", followUpOwner: theirs };
  const body = { followUpOn: day, followUpTime: "15:30", followUpOwnerId: colleague.id };
  expect(await set(second, body)).toMatchObject(later);
  expect((await app.ask("GET", `/v1/leads/${bob}`, { token: rep.token })).json()).toMatchObject(later);
  // Without a time it is due until the day ends.
  expect(await list(rep)).toMatchObject([later, { followUpTime: null, followUpOwner: mine }]);
  expect(await list(rep, "owner=me")).toMatchObject([{ phoneNumber: "+4930111111" }]);

  expect(await set(second, { followUpOn: "2126-02-03" })).toMatchObject({ ...later, followUpOn: "2126-02-03" });
  expect(await set(second, { followUpTime: null, followUpOwnerId: null })).toMatchObject({
    followUpOn: "2126-02-03",
    followUpTime: null,
    followUpOwner: null,
  });
  expect(await set(second, { followUpOn: null })).toMatchObject({ followUpOn: null, followUpOwner: null });
  expect((await set(second, { followUpTime: "09:00" })).errors).toEqual([
    { field: "followUpOn", message: "Choose the day to call back first." },
  ]);
  const stranger = await registerPerson(app);
  expect((await set(second, { followUpOn: day, followUpOwnerId: stranger.id })).errors).toEqual([
    { field: "followUpOwnerId", message: "Choose a member of your organisation who can call." },
  ]);
});

test("a time that has passed in the organisation's time zone is refused", async () => {
  const rep = await newRep(app);
  // Noon there at every moment of the test.
  const offset = 12 - new Date().getUTCHours();
  const timeZone = `Etc/GMT${offset > 0 ? "-" : "+"}${Math.abs(offset)}`;
  await app.ask("PUT", `/v1/organisations/${rep.organisationId}`, { token: rep.token, body: { timeZone } });
  const followUpOn = new Intl.DateTimeFormat("en-CA", { timeZone, dateStyle: "short" }).format(new Date());
  const id = await addLead(rep, { lastName: "Stone", phoneNumber: "+4930111111" });
  const set = (followUpTime: string) =>
    app.ask("PUT", `/v1/leads/${id}`, { token: rep.token, body: { followUpOn, followUpTime } });
  expect((await set("09:00")).json().errors).toEqual([
    { field: "followUpTime", message: "Choose a time that’s still to come." },
  ]);
  expect((await set("16:00")).json()).toMatchObject({ followUpOn, followUpTime: "16:00" });
});
