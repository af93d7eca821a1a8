import { randomInt, randomUUID } from "node:crypto";
import { sql } from "kysely";
import { beforeEach, describe, expect, test } from "vitest";
import { callsAtCrms } from "../../../testing/calls-at-crms.ts";
import { testApp } from "../../../testing/test-app.ts";
import { type Admin, connectIntegration, leadsOf, newAdmin, syncToTheEnd } from "../../../testing/test-integrations.ts";
import { purgeRemovedJob } from "../../lead-changes/purge-removed.ts";

const app = testApp();
const { changeRows, endCall, leadWithOwnNumber, activityOf, writeAll } = callsAtCrms(app);
const writtenOf = (callSids: readonly string[]) =>
  app.crm.sandbox.writtenCalls().filter(({ callSid }) => callSids.includes(callSid));

let admin: Admin;
let integrationId: string;
let lead: { number: string; externalId: string };
beforeEach(async () => {
  admin = await newAdmin(app);
  integrationId = await connectIntegration(app, admin);
  await syncToTheEnd(app, admin, integrationId);
  lead = await leadWithOwnNumber(admin);
});

test.each([
  [
    "bought",
    (number: string) => sql`
      insert into phone_numbers
        (id, organisation_id, number, carrier, state, is_caller_id, monthly_cost, ordered_by, acquired_at)
      values (${randomUUID()}, ${admin.organisationId}, ${number}, 'sandbox', 'owned', true, 1000000, ${admin.id}, now())`,
  ],
  [
    "verified",
    (number: string) => sql`
      insert into verified_caller_ids (organisation_id, number, server)
      values (${admin.organisationId}, ${number}, 'trunk')`,
  ],
])("a call with a number that the organisation has %s belongs to no lead", async (_, own) => {
  // No other organisation may have it.
  const number = `+1212${randomInt(2_000_000, 9_999_999)}`;
  await changeRows(admin, sql`update leads set phone_number = ${number} where external_id = ${lead.externalId}`);
  const before = await endCall(admin, number);
  expect(await activityOf(admin, before)).toMatchObject({ state: "waiting" });
  await changeRows(admin, own(number));
  expect(await activityOf(admin, await endCall(admin, number))).toBeNull();
});

describe("a number that several leads have", () => {
  async function add(change: { phone: string }): Promise<string> {
    const body = { firstName: "Robin", lastName: "Other", email: "robin@other.example", ...change };
    return (await app.ask("POST", "/v1/leads", { token: admin.token, body })).json().id;
  }
  const shareNumber = () => add({ phone: lead.number });
  const choose = (callSid: string, leadId: string) =>
    app.ask("PUT", `/v1/calls/${callSid}/activity`, { token: admin.token, body: { leadId } });
  const idOf = async (externalId: string): Promise<string> => {
    const { rows } = await app.database.withTransaction({ organisationId: admin.organisationId }, (tx) =>
      sql<{ id: string }>`select id from leads where organisation_id = ${admin.organisationId}
      and external_id = ${externalId}`.execute(tx),
    );
    return rows[0]?.id ?? "";
  };

  test("makes calls wait until someone chooses a lead, and then logs all of them", async () => {
    await shareNumber();
    const callSids = [await endCall(admin, lead.number), await endCall(admin, lead.number)];
    await writeAll(admin);
    expect(writtenOf(callSids)).toEqual([]);
    expect(await activityOf(admin, callSids[0] ?? "")).toMatchObject({ state: "to-sort" });
    expect((await choose(callSids[0] ?? "", await idOf(lead.externalId))).statusCode).toBe(204);
    const next = await endCall(admin, lead.number);
    await writeAll(admin);
    const written = writtenOf([...callSids, next]);
    expect(written.map(({ leadExternalId }) => leadExternalId)).toEqual([
      lead.externalId,
      lead.externalId,
      lead.externalId,
    ]);
  });

  test("can be changed later: further calls go to the new lead, and logged ones stay", async () => {
    await shareNumber();
    const body = { firstName: "Kim", lastName: "Third", email: "kim@third.example", phone: lead.number };
    const third = (await app.ask("POST", "/v1/leads", { token: admin.token, body })).json().id;
    const otherId = (await leadsOf(app, admin)).find(
      ({ external_id }) => external_id !== null && external_id !== lead.externalId,
    )?.external_id;
    await changeRows(
      admin,
      sql`update leads set phone_number = ${lead.number}, phone = ${lead.number}
      where organisation_id = ${admin.organisationId} and external_id = ${otherId}`,
    );
    const first = await endCall(admin, lead.number);
    expect((await choose(first, await idOf(lead.externalId))).statusCode).toBe(204);
    await writeAll(admin);
    const untried = await endCall(admin, lead.number);
    expect((await choose(first, await idOf(otherId ?? ""))).statusCode).toBe(204);
    const later = await endCall(admin, lead.number);
    await writeAll(admin);
    const written = new Map(writtenOf([first, untried, later]).map((one) => [one.callSid, one.leadExternalId]));
    expect(Object.fromEntries(written)).toEqual({ [first]: lead.externalId, [untried]: otherId, [later]: otherId });
    expect((await choose(first, third)).statusCode).toBe(204);
    expect(await activityOf(admin, await endCall(admin, lead.number))).toBeNull();
    expect(await activityOf(admin, first)).toMatchObject({ state: "written" });
  });

  test("logs nothing for a lead that isn't from a CRM", async () => {
    const other = await shareNumber();
    const callSid = await endCall(admin, lead.number);
    expect((await choose(callSid, other)).statusCode).toBe(204);
    expect(await activityOf(admin, callSid)).toBeNull();
    const next = await endCall(admin, lead.number);
    expect(await activityOf(admin, next)).toBeNull();
  });

  test("logs the call after all on which a lead of the CRM is chosen later", async () => {
    const other = await shareNumber();
    const callSid = await endCall(admin, lead.number);
    await choose(callSid, other);
    expect(await activityOf(admin, callSid)).toBeNull();
    expect((await choose(callSid, await idOf(lead.externalId))).statusCode).toBe(204);
    await writeAll(admin);
    expect(writtenOf([callSid])).toMatchObject([{ leadExternalId: lead.externalId }]);
    // A call that only one lead could have.
    const own = await add({ phone: "+12025550199" });
    const ofOwn = await endCall(admin, "+12025550199");
    expect((await choose(ofOwn, own)).statusCode).toBe(404);
  });

  test("makes calls wait again once the chosen lead has another number", async () => {
    await shareNumber();
    await choose(await endCall(admin, lead.number), await idOf(lead.externalId));
    const body = { firstName: "Kim", lastName: "Third", email: "kim@third.example", phone: lead.number };
    await app.ask("POST", "/v1/leads", { token: admin.token, body });
    await changeRows(
      admin,
      sql`update leads set phone_number = '+493012345679' where organisation_id = ${admin.organisationId}
      and external_id = ${lead.externalId}`,
    );
    await changeRows(
      admin,
      sql`update leads set integration_id = ${integrationId}, external_id = 'another'
      where organisation_id = ${admin.organisationId} and last_name = 'Third'`,
    );
    expect(await activityOf(admin, await endCall(admin, lead.number))).toMatchObject({ state: "to-sort" });
  });

  describe("and that are merged into a lead with another number", () => {
    async function mergeAway(): Promise<{ callSid: string; kept: string; undo: () => Promise<void> }> {
      const otherIds = [await shareNumber(), await idOf(lead.externalId)];
      const callSid = await endCall(admin, lead.number);
      expect(await activityOf(admin, callSid)).toMatchObject({ state: "to-sort" });
      const kept =
        (await leadsOf(app, admin)).find(
          ({ external_id, phone_number }) => external_id !== null && phone_number !== lead.number,
        )?.external_id ?? "";
      const body = { keepId: await idOf(kept), otherIds };
      const merged = await app.ask("POST", "/v1/lead-merges", { token: admin.token, body });
      expect(merged.statusCode).toBe(201);
      const path = `/v1/lead-merges/${merged.json().id}/undo` as const;
      const undo = async () => expect((await app.ask("POST", path, { token: admin.token })).statusCode).toBe(204);
      return { callSid, kept, undo };
    }

    test("leaves nothing to choose: its calls are logged on that lead, and stay there if the merge is undone", async () => {
      const { callSid, kept, undo } = await mergeAway();
      expect(await activityOf(admin, callSid)).toMatchObject({ state: "waiting" });
      await writeAll(admin);
      expect(writtenOf([callSid])).toMatchObject([{ leadExternalId: kept }]);
      await undo();
      await writeAll(admin);
      expect(await activityOf(admin, callSid)).toMatchObject({ state: "written" });
      expect(writtenOf([callSid])).toMatchObject([{ leadExternalId: kept }]);
    });

    test("makes calls that aren't logged yet wait for a choice again if the merge is undone", async () => {
      const { callSid, undo } = await mergeAway();
      await undo();
      expect(await activityOf(admin, callSid)).toMatchObject({ state: "to-sort" });
      expect((await choose(callSid, await idOf(lead.externalId))).statusCode).toBe(204);
      await writeAll(admin);
      expect(writtenOf([callSid])).toMatchObject([{ leadExternalId: lead.externalId }]);
    });
  });

  test("makes calls wait again if a merge into one of its leads is undone", async () => {
    const other = await shareNumber();
    const callSid = await endCall(admin, lead.number);
    const body = { keepId: await idOf(lead.externalId), otherIds: [other] };
    const merged = (await app.ask("POST", "/v1/lead-merges", { token: admin.token, body })).json();
    expect(await activityOf(admin, callSid)).toMatchObject({ state: "waiting" });
    await app.ask("POST", `/v1/lead-merges/${merged.id}/undo`, { token: admin.token });
    expect(await activityOf(admin, callSid)).toMatchObject({ state: "to-sort" });
  });

  const mergeInto = async (id: string) =>
    app.ask("POST", "/v1/lead-merges", {
      token: admin.token,
      body: { keepId: await idOf(lead.externalId), otherIds: [id] },
    });
  const deleteUndoably = (ids: string[]) =>
    app.ask("POST", "/v1/lead-changes", { token: admin.token, body: { ids, action: { kind: "delete" } } });
  const removals: [string, (id: string) => Promise<{ statusCode: number }>][] = [
    ["merged", mergeInto],
    ["deleted", (id) => app.ask("DELETE", `/v1/leads/${id}`, { token: admin.token })],
    ["deleted undoably", (id) => deleteUndoably([id])],
    [
      "given another number",
      (id) => app.ask("PUT", `/v1/leads/${id}`, { token: admin.token, body: { phone: "+12025550111" } }),
    ],
  ];

  test.each(removals)(
    "logs calls that wait for a choice on its last lead once the others are %s",
    async (_, remove) => {
      const other = await shareNumber();
      const callSid = await endCall(admin, lead.number);
      expect((await remove(other)).statusCode).toBeLessThan(300);
      await writeAll(admin);
      expect(writtenOf([callSid])).toMatchObject([{ leadExternalId: lead.externalId }]);
    },
  );

  test("makes calls wait again while the deletion of the chosen lead can be undone", async () => {
    const chosen = await shareNumber();
    const body = { firstName: "Kim", lastName: "Third", email: "kim@third.example", phone: lead.number };
    await app.ask("POST", "/v1/leads", { token: admin.token, body });
    await choose(await endCall(admin, lead.number), chosen);
    expect(await activityOf(admin, await endCall(admin, lead.number))).toBeNull();
    await deleteUndoably([chosen]);
    expect(await activityOf(admin, await endCall(admin, lead.number))).toMatchObject({ state: "to-sort" });
  });

  test("lists nothing to sort once its last leads are deleted for good", async () => {
    const other = await shareNumber();
    const callSid = await endCall(admin, lead.number);
    const deleted = (await deleteUndoably([other, await idOf(lead.externalId)])).json();
    expect(await activityOf(admin, callSid)).toMatchObject({ state: "to-sort" });
    await changeRows(admin, sql`update lead_changes set undo_until = clock_timestamp() where id = ${deleted.id}`);
    await purgeRemovedJob(app.database).run({}, { enqueue: async () => {} });
    expect(await activityOf(admin, callSid)).toBeNull();
  });

  test("refuses a lead with another number", async () => {
    await shareNumber();
    const callSid = await endCall(admin, lead.number);
    const body = { firstName: "Kim", lastName: "Else", email: "kim@else.example", phone: "+12025550111" };
    const elsewhere = (await app.ask("POST", "/v1/leads", { token: admin.token, body })).json().id;
    expect((await choose(callSid, elsewhere)).statusCode).toBe(404);
    expect((await choose(callSid, randomUUID())).statusCode).toBe(404);
    expect(await activityOf(admin, callSid)).toMatchObject({ state: "to-sort" });
  });
});
