import { randomInt, randomUUID } from "node:crypto";
import { strFromU8, unzipSync } from "fflate";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { asSystem, countChanged, readEveryRow } from "../../testing/every-row.ts";
import { leaveMessage } from "../../testing/left-messages.ts";
import { leavePastCalls } from "../../testing/past-calls.ts";
import { makeOrganisation, registerPerson, testApp } from "../../testing/test-app.ts";
import { addIntegration } from "../../testing/test-integrations.ts";
import { sections } from "./lead-data.table.ts";

const app = testApp();
type By = { token: string };
const ask = (by: By, method: "GET" | "POST" | "PUT", path: string, body?: object) =>
  app.ask(method, path, { token: by.token, ...(body && { body }) });
const at = new Date().toISOString();

async function newOwner() {
  const person = await registerPerson(app);
  const { id: organisationId } = await makeOrganisation(app, person);
  return { ...person, organisationId };
}
type Owner = Awaited<ReturnType<typeof newOwner>>;

async function unzipped(by: By, path: string) {
  const answer = await ask(by, "GET", path);
  expect(answer.statusCode).toBe(200);
  const files = unzipSync(answer.rawPayload);
  return { data: JSON.parse(strFromU8(files["data.json"] ?? new Uint8Array())), files };
}

async function addLead(by: Owner, other: object = {}): Promise<{ id: string; phone: string; email: string }> {
  const mark = randomUUID().slice(0, 8);
  const names = { firstName: `Ada${mark}`, lastName: "Stone" };
  const lead = { ...names, email: `ada-${mark}@stone.example`, phone: `+1202555${randomInt(1000, 9999)}`, ...other };
  const { id } = (await ask(by, "POST", "/v1/leads", lead)).json();
  return { ...lead, id };
}

async function upload(by: Owner, path: string, file: File, entity: Record<string, string>): Promise<void> {
  const form = new FormData();
  for (const [name, value] of Object.entries(entity)) form.append(name, value);
  form.append("file[]", file);
  expect((await app.ask("POST", path, { token: by.token, form })).statusCode).toBe(201);
}

/** At least one row in every table that an erasure of a lead changes. */
async function leaveEverything(by: Owner): Promise<{ leadId: string; stranger: { id: string; phone: string } }> {
  const { organisationId } = by;
  const { id: leadId, phone, email } = await addLead(by);
  const stranger = await addLead(by);
  const former = await addLead(by, { email });
  await ask(by, "POST", "/v1/lead-merges", { keepId: leadId, otherIds: [former.id] });
  await ask(by, "PUT", `/v1/leads/${leadId}`, { company: "Quay", followUpOn: "2099-01-01", followUpTime: "10:00" });
  await ask(by, "POST", `/v1/leads/${leadId}/notes`, { text: "Prefers mornings." });
  await upload(by, "/v1/files", new File(["%PDF-1.7"], "offer.pdf"), { entity: "lead", entityId: leadId });
  const csv = `First name,Last name,Email,Phone\nBob,Rivers,bob@rivers.example,+12025550177\nAda,Stone,${email},${phone}\n`;
  await upload(by, "/v1/lead-imports", new File([csv], "leads.csv"), {});
  await leaveMessage(app, by, { phoneNumber: phone });
  const call = { at, talkMs: 60_000, costMicros: 13_000 };
  // Called under a number that the lead no longer has, and without a lead under one that a merged lead had.
  const [callSid = ""] = await leavePastCalls(app, by, [
    { ...call, phoneNumber: "+12025550188", leadId },
    { ...call, phoneNumber: former.phone },
    { ...call, phoneNumber: stranger.phone },
  ]);
  const integrationId = await addIntegration(app, by);
  await asSystem(app.database, async (tx) => {
    const own = sql`${organisationId}::uuid`;
    const [runId, importId] = [randomUUID(), randomUUID()];
    for (const statement of [
      sql`update leads set integration_id = ${integrationId}, external_id = 'record-1' where id = ${leadId}`,
      sql`insert into lead_choices values (${own}, ${phone}, ${leadId})`,
      sql`insert into lead_separations values (${own}, 'email', ${email}, array[${leadId}]::uuid[])`,
      sql`insert into lead_writes (lead_id, organisation_id, integration_id) values (${leadId}, ${own}, ${integrationId})
        on conflict do nothing`,
      sql`insert into lead_changes (id, organisation_id, user_id, kind, action, matching, state)
        values (gen_random_uuid(), ${own}, ${by.id}, 'status', '{}', jsonb_build_object('search', ${email}::text), 'done')`,
      sql`insert into call_activities (call_sid, organisation_id, lead_id, integration_id, state)
        values (${callSid}, ${own}, ${leadId}, ${integrationId}, 'written')`,
      sql`insert into call_transfers (organisation_id, call_sid, phone_number, phone_number_typed, status)
        values (${own}, ${callSid}, ${phone}, ${phone}, 'taken')`,
      sql`insert into calls (call_sid, organisation_id, user_id, direction, status, phone_number, phone_number_typed, caller_id,
          carrier, created_at, ended_at, reason, process_key)
        values (${`CA${runId}`}, ${own}, ${by.id}, 'inbound', 'no-answer', '', '', ${`Bob for ${phone}`}, 'teammate', ${at},
          ${at}, 'hung-up-here', 0)`,
      sql`insert into carrier_records (organisation_id, connection_id, record_id, from_number, to_number, began_at, seconds)
        values (${own}, gen_random_uuid(), '1', '+12025550111', ${phone}, ${at}, 60)`,
      sql`insert into limit_breaches (organisation_id, user_id, day, limit_name, is_members, phone_number, detail)
        values (${own}, ${by.id}, ${at.slice(0, 10)}, 'daily-spend', false, ${phone}, 'Refused.')`,
      sql`insert into follow_ups (organisation_id, phone_number, follow_up_on, follow_up_user_id, follow_up_time)
        values (${own}, ${former.phone}, '2099-01-01', ${by.id}, '10:00')`,
      sql`insert into do_not_call (organisation_id, phone_number, user_id, call_sid)
        values (${own}, ${phone}, ${by.id}, ${callSid})`,
      sql`insert into lead_imports (id, organisation_id, user_id, file_name, state, delimiter, columns, preview,
          suggested_mapping, row_count, bytes_read, finished_at)
        values (${importId}, ${own}, ${by.id}, 'old.csv', 'completed', ',', '[]', '[]', '{}', 2, 0, ${at})`,
      sql`insert into lead_import_errors values (${importId}, ${own}, 1, 'Unreadable.', json_build_array(${email}::text))`,
      sql`insert into lead_import_duplicates values (${importId}, ${own}, 2, true, ${leadId}, null, false, '{}')`,
      sql`insert into crm_changes values (${integrationId}, ${own}, 'event-1', 'record-1')`,
      sql`insert into sync_runs (id, organisation_id, integration_id, status, ended_at)
        values (${runId}, ${own}, ${integrationId}, 'completed', ${at})`,
      sql`insert into sync_run_leads values (${runId}, ${own}, 'record-1')`,
      sql`insert into sync_run_left_out values (${runId}, ${own}, 'record-1', 'No name.')`,
      sql`insert into live_events (organisation_id, type, data) values (${own}, 'test', json_build_object('email', ${email}::text))`,
    ])
      await statement.execute(tx);
  });
  return { leadId, stranger };
}

test("the export of a lead has exactly the rows that its erasure deletes or blanks", async () => {
  const by = await newOwner();
  const which = { organisationId: by.organisationId, userId: by.id };
  const { leadId, stranger } = await leaveEverything(by);
  const before = await readEveryRow(app.database, which);
  const { data, files } = await unzipped(by, `/v1/leads/${leadId}/personal-data`);
  const body = { currentPassword: by.password };
  expect((await ask(by, "POST", `/v1/leads/${leadId}/erase`, body)).statusCode).toBe(204);
  // Live events are copies that are dropped within an hour.
  const { live_events, ...changed } = countChanged(before, await readEveryRow(app.database, which));
  expect(live_events).toBeGreaterThan(0);

  const { calls_to_teammates, ...tables } = sections;
  const exported: Record<string, number> = { leads: 1 + data.mergedLeads.length, audit_changes: data.auditLog.length };
  for (const [table, section] of Object.entries(tables)) exported[table] = data[section].length;
  exported["calls"] = data.calls.length + data[calls_to_teammates].length;
  expect(changed).toEqual(exported);
  expect(Object.values(exported)).not.toContain(0);
  expect(data.calls).toHaveLength(3);
  expect(data[calls_to_teammates]).toHaveLength(1);
  expect(Object.keys(files)).toHaveLength(3);
  // Others in the same file, or with a number of their own, are left out.
  for (const theirs of [stranger.phone, "bob@rivers.example"]) expect(JSON.stringify(data)).not.toContain(theirs);
});
