import { randomInt, randomUUID } from "node:crypto";
import { strFromU8, unzipSync } from "fflate";
import { sql } from "kysely";
import { expect, test } from "vitest";
import type { Tx } from "../../db/transaction.ts";
import { leaveMessage } from "../../testing/left-messages.ts";
import { leavePastCalls } from "../../testing/past-calls.ts";
import { joinOrganisation, makeOrganisation, registerPerson, testApp } from "../../testing/test-app.ts";
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

const asSystem = <T>(work: (tx: Tx) => Promise<T>) =>
  app.database.withTransaction({ system: "a test reads and fills every table" }, async (tx) => {
    await sql`select set_config('app.sees_removed_leads', 'on', true)`.execute(tx);
    return work(tx);
  });

/** Every row of the organisation, or of the person where tables aren't divided by organisation, by table. */
const readEveryRow = ({ organisationId, userId }: { organisationId: string; userId: string }) =>
  asSystem(async (tx) => {
    const { rows: tables } = await sql<{ name: string; columns: string[] }>`
      select table_name as name, array_agg(column_name::text) as columns from information_schema.columns
      where table_schema = 'public' group by 1 order by 1`.execute(tx);
    const every = new Map<string, string[]>();
    for (const { name, columns } of tables) {
      const key = name === "users" ? "id" : columns.find((column) => column === "user_id" || column === "avatar_of");
      const isTheirs = [
        ...(columns.includes("organisation_id") ? [sql`organisation_id = ${organisationId}`] : []),
        ...(key === undefined ? [] : [sql`${sql.ref(key)}::text = ${userId}`]),
      ];
      if (isTheirs.length === 0) continue;
      const { rows } = await sql<{ row: string }>`
        select to_jsonb(t)::text as row from ${sql.table(name)} t where ${sql.join(isTheirs, sql` or `)}`.execute(tx);
      every.set(
        name,
        rows.map(({ row }) => row),
      );
    }
    return every;
  });

/** How many rows are gone or other than before, by table, without tables that have none. */
function countChanged(before: Map<string, string[]>, after: Map<string, string[]>): Record<string, number> {
  const changed = [...before].map(([table, rows]) => {
    const left = new Set(after.get(table));
    return [table, rows.filter((row) => !left.has(row)).length] as const;
  });
  return Object.fromEntries(changed.filter(([, count]) => count > 0));
}

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
  await asSystem(async (tx) => {
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
  const before = await readEveryRow(which);
  const { data, files } = await unzipped(by, `/v1/leads/${leadId}/personal-data`);
  const body = { currentPassword: by.password };
  expect((await ask(by, "POST", `/v1/leads/${leadId}/erase`, body)).statusCode).toBe(204);
  // Live events are copies that are dropped within an hour.
  const { live_events, ...changed } = countChanged(before, await readEveryRow(which));
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

/** Tables of a person, by where data.json or a file lists their rows. Refresh tokens are part of a session. */
const accountSections: Record<string, string> = {
  users: "profile",
  passwords: "passwords",
  password_resets: "passwordResets",
  identities: "singleSignOn",
  sessions: "sessions",
  memberships: "memberships",
  invitations: "invitations",
  files: "picture",
  lead_views: "leadViews",
  crm_logins: "crmLogins",
  crm_owners: "crmOwners",
  follow_up_reminders: "reminders",
  member_limits: "limits",
  calls: "callsThatShowYourName",
};

test("the export of an account has exactly the rows that its erasure deletes or blanks", async () => {
  const owner = await newOwner();
  const { organisationId } = owner;
  const by = await registerPerson(app);
  await joinOrganisation(app, by, { organisationId, role: "member" });
  const which = { organisationId, userId: by.id };
  const [firstName, earlierEmail] = [`Robin${randomUUID().slice(0, 8)}`, `earlier-${by.email}`];
  await ask(by, "PUT", `/v1/users/${by.id}`, { firstName, lastName: "Leaver" });
  const png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
  const picture = new File([Buffer.from(png, "base64")], "me.png");
  await upload(owner, "/v1/files", picture, { entity: "user", entityId: owner.id });
  await upload({ ...by, organisationId }, "/v1/files", picture, { entity: "user", entityId: by.id });
  const integrationId = await addIntegration(app, owner);
  await asSystem(async (tx) => {
    const own = sql`${organisationId}::uuid`;
    for (const statement of [
      sql`insert into password_resets values (gen_random_uuid(), ${by.id}, 'hash', ${at}, ${at})`,
      sql`insert into identities values ('https://id.example', 'robin', ${by.id})`,
      sql`insert into invitations (id, organisation_id, email, role, token_hash, expires_at)
        values (gen_random_uuid(), ${own}, ${earlierEmail}, 'member', 'hash', ${at})`,
      sql`insert into audit_entries (organisation_id, at, action, user_id, user_name, address, user_agent, request_id)
        values (${own}, ${at}, 'user.updated', ${by.id}, 'Earlier Name', '192.0.2.1', 'a browser', '')`,
      sql`insert into audit_changes (entry_id, organisation_id, kind, operation, subject_id, subject, before, after)
        select id, ${own}, 'users', 'changed', ${by.id}, 'Earlier Name', jsonb_build_object('email', ${earlierEmail}::text), '{}'
        from audit_entries where organisation_id = ${own} and user_name = 'Earlier Name'`,
      sql`insert into audit_changes (entry_id, organisation_id, kind, operation, subject_id, subject, before, after)
        select id, ${own}, 'member_limits', 'changed', ${by.id}, 'Earlier Name', null, '{"concurrent_calls": 1}'
        from audit_entries where organisation_id = ${own} and user_name = 'Earlier Name'`,
      sql`insert into lead_views (organisation_id, user_id, name, shared, filter, columns)
        values (${own}, ${by.id}, 'Mine', false, '{}', '[]')`,
      sql`insert into crm_logins (state_hash, organisation_id, integration_id, user_id, sealed_verifier, callback_url, expires_at)
        values ('hash', ${own}, ${integrationId}, ${by.id}, '', '', ${at})`,
      sql`insert into crm_owners (organisation_id, integration_id, owner_key, name, email, maps_to, user_id)
        values (${own}, ${integrationId}, 'robin', 'Robin', '', 'member', ${by.id})`,
      sql`insert into follow_up_reminders (organisation_id, phone_number, user_id, remind_on, remind_at)
        values (${own}, '+12025550142', ${by.id}, '2099-01-01', '10:00')`,
      sql`insert into member_limits (organisation_id, user_id, concurrent_calls) values (${own}, ${by.id}, 1)`,
      sql`insert into calls (call_sid, organisation_id, user_id, direction, status, phone_number, phone_number_typed, caller_id,
          carrier, created_at, ended_at, reason, process_key)
        values (${`CA${randomUUID()}`}, ${own}, ${owner.id}, 'inbound', 'no-answer', '', '', ${`${firstName} Leaver`}, 'teammate',
          ${at}, ${at}, 'hung-up-here', 0)`,
    ])
      await statement.execute(tx);
  });
  // The export is an entry of its own, which the erasure blanks too.
  const { data, files } = await unzipped(by, "/v1/users/me/personal-data");
  const before = await readEveryRow(which);
  expect((await ask(by, "POST", "/v1/users/me/erase", { currentPassword: by.password })).statusCode).toBe(204);
  const { refresh_tokens, audit_entries, audit_changes, ...changed } = countChanged(before, await readEveryRow(which));

  const exported = Object.entries(accountSections).map(([table, section]) => [table, [data[section]].flat().length]);
  expect(changed).toEqual(Object.fromEntries(exported));
  expect(Object.values(changed)).not.toContain(0);
  expect(refresh_tokens).toBeGreaterThan(0);
  expect(audit_changes).toBe(data.changesOfAccount.length + data.changesUnderYourName.length);
  expect(data.changesUnderYourName).toMatchObject([{ kind: "member_limits", subject: "Earlier Name" }]);
  const lines = strFromU8(files["audit-log.jsonl"] ?? new Uint8Array())
    .trim()
    .split("\n");
  expect(audit_entries).toBe(lines.length);
  expect(Object.keys(files)).toContain("avatar/me.png");
});
