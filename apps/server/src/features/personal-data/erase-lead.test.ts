import { randomInt, randomUUID } from "node:crypto";
import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { leaveMessage } from "../../testing/left-messages.ts";
import { leavePastCalls } from "../../testing/past-calls.ts";
import { joinOrganisation, makeOrganisation, registerPerson, testApp } from "../../testing/test-app.ts";
import { connectIntegration, syncToTheEnd } from "../../testing/test-integrations.ts";
import { removeStoredFilesJob } from "../files/remove-stored-files-job.ts";
import { eraseLead } from "./erase-lead.ts";

const app = testApp();

/** With a lead whom no other text resembles. */
async function newOwner() {
  const person = await registerPerson(app);
  const { id: organisationId } = await makeOrganisation(app, person);
  const mark = randomUUID().slice(0, 8);
  const lead = {
    firstName: `Ada${mark}`,
    lastName: "Stone",
    email: `ada-${mark}@stone.example`,
    phone: `+1202555${randomInt(1000, 9999)}`,
  };
  const added = await app.ask("POST", "/v1/leads", { token: person.token, body: lead });
  return { ...person, organisationId, lead, leadId: added.json().id as string };
}
type Owner = Awaited<ReturnType<typeof newOwner>>;
const ask = (by: { token: string }, method: "GET" | "POST" | "PUT" | "DELETE", path: string, body?: object) =>
  app.ask(method, path, { token: by.token, ...(body && { body }) });
const erase = (by: { token: string; password: string }, leadId: string, currentPassword = by.password) =>
  app.ask("POST", `/v1/leads/${leadId}/erase`, { token: by.token, body: { currentPassword } });
const textsOf = ({ lead }: Owner) => [lead.firstName, lead.email, lead.phone];

/** Every table of the organisation that contains one of these texts, in any column. */
const tablesWith = (organisationId: string, texts: readonly string[]) =>
  app.database.withTransaction({ system: "a test looks for what is left" }, async (tx) => {
    const { rows } = await sql<{ name: string }>`
      select table_name as name from information_schema.columns
      where column_name = 'organisation_id' and table_schema = 'public' order by 1`.execute(tx);
    await sql`select set_config('app.sees_removed_leads', 'on', true)`.execute(tx);
    const found: string[] = [];
    for (const { name } of rows) {
      const { rows: left } = await sql`
        select 1 from ${sql.table(name)} t where organisation_id = ${organisationId}
          and exists (select from unnest(${texts}::text[]) text where position(lower(text) in lower(t::text)) > 0)
        limit 1`.execute(tx);
      if (left.length > 0) found.push(name);
    }
    return found;
  });

const readCalls = ({ organisationId }: Owner) =>
  app.database.withTransaction({ organisationId }, (tx) =>
    tx.selectFrom("calls").selectAll().where("organisation_id", "=", organisationId).execute(),
  );

async function upload(by: Owner, name: string): Promise<void> {
  const form = new FormData();
  form.append("file[]", new File(["%PDF-1.7"], name));
  form.append("entity", "lead");
  form.append("entityId", by.leadId);
  expect((await app.ask("POST", "/v1/files", { token: by.token, form })).statusCode).toBe(201);
}

/** Returns the stored names of its file and its message. */
async function fillEverything(by: Owner): Promise<string[]> {
  const { leadId, lead, organisationId } = by;
  await ask(by, "PUT", `/v1/leads/${leadId}`, { company: `Quay of ${lead.firstName}` });
  await ask(by, "POST", `/v1/leads/${leadId}/notes`, { text: `${lead.firstName} prefers mornings.` });
  await upload(by, `${lead.firstName}.pdf`);
  await mergeTwin(by);
  const at = new Date().toISOString();
  const { storedName } = await leaveMessage(app, by, { phoneNumber: lead.phone, note: `${lead.firstName} called.` });
  const call = { at, phoneNumber: lead.phone, talkMs: 60_000, costMicros: 13_000, note: lead.firstName };
  const [first = ""] = await leavePastCalls(app, by, [call, { ...call, leadId }], { charged: true });
  const csv = `First name,Last name,Email,Phone\n${lead.firstName},Stone,${lead.email},${lead.phone}\n`;
  const form = new FormData();
  form.append("file[]", new File([csv], "leads.csv"));
  expect((await app.ask("POST", "/v1/lead-imports", { token: by.token, form })).statusCode).toBe(201);
  return app.database.withTransaction({ organisationId }, async (tx) => {
    const record = { organisation_id: organisationId, connection_id: randomUUID(), seconds: 60, began_at: at };
    await tx
      .insertInto("carrier_records")
      .values({
        ...record,
        record_id: "1",
        from_number: "+12025550111",
        to_number: lead.phone,
        call_sid: first,
        matched_by: "call-id",
      })
      .execute();
    await tx
      .insertInto("limit_breaches")
      .values({
        organisation_id: organisationId,
        user_id: by.id,
        day: at.slice(0, 10),
        limit_name: "daily-spend",
        is_members: false,
        phone_number: lead.phone,
        detail: `Daily limit reached for ${lead.phone}.`,
      })
      .execute();
    const files = await tx.selectFrom("files").select("stored_name").where("lead_id", "=", leadId).execute();
    const drafts = await tx
      .selectFrom("lead_imports")
      .select("stored_name")
      .where("organisation_id", "=", organisationId)
      .execute();
    return [storedName, ...[...files, ...drafts].flatMap((row) => row.stored_name ?? [])];
  });
}

/** The same person under another number. */
async function mergeTwin(by: Owner): Promise<void> {
  const twin = { ...by.lead, phone: "+12025550123" };
  const { id } = (await ask(by, "POST", "/v1/leads", twin)).json();
  const merged = await ask(by, "POST", "/v1/lead-merges", { keepId: by.leadId, otherIds: [id] });
  expect(merged.statusCode).toBeLessThan(300);
}

describe("erasing a lead", () => {
  test("leaves nothing of it in any table or on disk, and every sum as it was", async () => {
    const by = await newOwner();
    const storedNames = await fillEverything(by);
    expect(storedNames).toHaveLength(3);
    const before = await tablesWith(by.organisationId, textsOf(by));
    for (const table of ["leads", "lead_notes", "files", "calls", "audit_changes", "lead_imports", "carrier_records"])
      expect(before).toContain(table);
    const entries = async () => (await ask(by, "GET", "/v1/billing/entries")).json().entries;
    const sums = (list: { amountMicros: number; runningMicros: number }[]) =>
      list.map(({ amountMicros, runningMicros }) => [amountMicros, runningMicros]);
    const billed = await entries();
    expect(billed.map(({ phoneNumber }: { phoneNumber: string }) => phoneNumber)).toEqual([
      by.lead.phone,
      by.lead.phone,
    ]);

    expect((await erase(by, by.leadId)).statusCode).toBe(204);
    expect(await tablesWith(by.organisationId, textsOf(by))).toEqual([]);
    const left = await entries();
    expect(sums(left)).toEqual(sums(billed));
    expect(left).toMatchObject([{ phoneNumber: null }, { phoneNumber: null }]);
    const calls = await readCalls(by);
    expect(calls).toHaveLength(3);
    for (const call of calls) expect(call).toMatchObject({ phone_number: "", caller_id: "Erased lead", note: "" });
    const isLeft = (name: string) =>
      app.store.sizeOf(name).then(
        () => true,
        () => false,
      );
    await expect
      .poll(() => Promise.all(storedNames.map(isLeft)), { timeout: 30_000 })
      .toEqual(storedNames.map(() => false));
    expect((await erase(by, by.leadId)).statusCode).toBe(404);
  });

  test("stays in the audit log with who did it, and what was done to the lead before without its values", async () => {
    const by = await newOwner();
    await ask(by, "PUT", `/v1/leads/${by.leadId}`, { company: "Quay" });
    expect((await erase(by, by.leadId)).statusCode).toBe(204);
    const [entry, updated] = (await ask(by, "GET", "/v1/audit-log")).json().entries;
    expect(entry).toMatchObject({ action: "lead.erased", userId: by.id, changes: [{ kind: "erased_leads" }] });
    expect(entry.changes[0].after).toMatchObject({ erased_id: by.leadId, erased_by: by.id });
    const blank = { kind: "leads", operation: "changed", subjectId: by.leadId, subject: "", before: null, after: null };
    expect(updated).toMatchObject({ action: "lead.updated", userId: by.id, changes: [blank] });
  });

  test("can only blank values of the audit log, and nothing else may", async () => {
    const by = await newOwner();
    const change = (erases: "on" | "", set: object) =>
      app.database.withTransaction({ organisationId: by.organisationId }, async (tx) => {
        await sql`select set_config('app.erases_person', ${erases}, true)`.execute(tx);
        await tx.updateTable("audit_changes").set(set).where("organisation_id", "=", by.organisationId).execute();
      });
    await expect(change("", { subject: "" })).rejects.toThrow("append-only");
    for (const set of [{ subject: "Bob" }, { after: sql`'{"email": "bob@rivers.example"}'` }, { operation: "deleted" }])
      await expect(change("on", set)).rejects.toThrow("append-only");
    await change("on", { subject: "", before: null, after: null });
  });

  test("keeps its number on the do-not-call list, and everything of a lead with the same number", async () => {
    const by = await newOwner();
    const twin = { ...by.lead, firstName: "Bob", email: "bob@rivers.example" };
    const { id } = (await ask(by, "POST", "/v1/leads", twin)).json();
    await leavePastCalls(app, by, [{ at: new Date().toISOString(), phoneNumber: by.lead.phone }]);
    await ask(by, "POST", "/v1/do-not-call", { phoneNumber: by.lead.phone });
    expect((await erase(by, by.leadId)).statusCode).toBe(204);
    expect((await ask(by, "GET", `/v1/leads/${id}`)).json()).toMatchObject({ firstName: "Bob", doNotCall: true });
    expect(await readCalls(by)).toMatchObject([{ phone_number: by.lead.phone }]);
    expect(await tablesWith(by.organisationId, [by.lead.firstName, by.lead.email])).toEqual([]);
  });

  test("takes the password again, and an owner or admin", async () => {
    const [by, member] = [await newOwner(), await registerPerson(app)];
    await joinOrganisation(app, member, { organisationId: by.organisationId, role: "member" });
    expect((await erase(member, by.leadId)).statusCode).toBe(403);
    const without = await ask(by, "POST", `/v1/leads/${by.leadId}/erase`, {});
    expect(without.json()).toMatchObject({ type: "/api/docs#password-required", status: 403 });
    expect((await erase(by, by.leadId, "another password")).json().type).toBe("/api/docs#wrong-credentials");
    expect((await ask(by, "GET", `/v1/leads/${by.leadId}`)).statusCode).toBe(200);
  });

  test("happens once when it is requested twice at the same time", async () => {
    const by = await newOwner();
    const answers = await Promise.all([erase(by, by.leadId), erase(by, by.leadId)]);
    expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([204, 404]);
  });

  test("waits for a call to end", async () => {
    const by = await newOwner();
    const [callSid = ""] = await leavePastCalls(app, by, [{ at: new Date().toISOString(), leadId: by.leadId }]);
    const setLive = (live: boolean) =>
      app.database.withTransaction({ organisationId: by.organisationId }, (tx) =>
        tx
          .updateTable("calls")
          .set(
            live
              ? { status: "in-progress", ended_at: null, reason: null }
              : { status: "completed", ended_at: new Date().toISOString(), reason: "hung-up-here" },
          )
          .where("call_sid", "=", callSid)
          .execute(),
      );
    await setLive(true);
    expect((await erase(by, by.leadId)).json().type).toBe("/api/docs#lead-in-use");
    await setLive(false);
    expect((await erase(by, by.leadId)).statusCode).toBe(204);
  });

  test("erases nothing, and keeps the files, if the job that removes them can't be ordered", async () => {
    const by = await newOwner();
    await upload(by, "offer.pdf");
    const failing = {
      enqueue: async () => {
        throw new Error("killed before the commit");
      },
    };
    const removeStoredFiles = removeStoredFilesJob({ store: app.store }, "none");
    const caller = {
      userId: by.id,
      sessionId: randomUUID(),
      organisation: { id: by.organisationId, role: "owner" },
    } as const;
    const erasing = eraseLead({ database: app.database, jobs: failing, removeStoredFiles }, caller, {
      id: by.leadId,
      currentPassword: by.password,
    });
    await expect(erasing).rejects.toThrow("killed before the commit");
    const [file] = (await ask(by, "GET", `/v1/files?entity=lead&entityId=${by.leadId}`)).json();
    expect((await ask(by, "GET", `/v1/files/${file.id}`)).body).toBe("%PDF-1.7");
  });

  test("lasts: no sync of the CRM that has the record brings it back, nor does connecting the account again", async () => {
    const by = await newOwner();
    const integrationId = await connectIntegration(app, by);
    await syncToTheEnd(app, by, integrationId);
    const listed = async (): Promise<{ id: string; integrationId: string | null }[]> =>
      (await ask(by, "GET", "/v1/leads?limit=200")).json();
    const [erased] = (await listed()).filter((lead) => lead.integrationId !== null);
    expect((await erase(by, erased?.id ?? "")).statusCode).toBe(204);
    const ids = async () => (await listed()).map(({ id }) => id);
    const left = await ids();
    expect(left.length).toBeGreaterThan(5);
    expect(left).not.toContain(erased?.id);
    // Reads every lead again.
    await ask(by, "DELETE", `/v1/integrations/${integrationId}`);
    const again = await connectIntegration(app, by);
    expect(await syncToTheEnd(app, by, again)).toMatchObject({ status: "completed", created: 0 });
    expect(await ids()).toEqual(left);
  });
});
