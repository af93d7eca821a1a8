import { randomInt, randomUUID } from "node:crypto";
import { strFromU8, unzipSync } from "fflate";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { asSystem, countChanged, type EveryRow, readEveryRow } from "../../testing/every-row.ts";
import {
  joinOrganisation,
  makeOrganisation,
  registerPerson,
  testApp,
  type TestPerson,
} from "../../testing/test-app.ts";
import { addIntegration } from "../../testing/test-integrations.ts";
import { rowsOfAccount } from "./rows-of-account.table.ts";

const app = testApp();
const at = new Date().toISOString();

async function newOwner() {
  const person = await registerPerson(app);
  const { id: organisationId } = await makeOrganisation(app, person);
  const integrationId = await addIntegration(app, person);
  return { ...person, organisationId, integrationId };
}
type Owner = Awaited<ReturnType<typeof newOwner>>;

async function uploadPicture(by: TestPerson): Promise<void> {
  const png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
  const form = new FormData();
  form.append("entity", "user");
  form.append("entityId", by.id);
  form.append("file[]", new File([Buffer.from(png, "base64")], "me.png"));
  expect((await app.ask("POST", "/v1/files", { token: by.token, form })).statusCode).toBe(201);
}

/** A member with a row in every table that an erasure of an account changes, and a mark in those without their id. */
async function newMember({
  id: ownerId,
  organisationId,
  integrationId,
}: Owner): Promise<TestPerson & { mark: string }> {
  const by = await registerPerson(app);
  await joinOrganisation(app, by, { organisationId, role: "member" });
  const mark = randomUUID().slice(0, 8);
  const [firstName, earlierEmail] = [`Robin${mark}`, `earlier-${mark}@example.com`];
  await app.ask("PUT", `/v1/users/${by.id}`, { token: by.token, body: { firstName, lastName: "Leaver" } });
  await uploadPicture(by);
  const own = sql`${organisationId}::uuid`;
  const earlierEntry = sql`from audit_entries
    where organisation_id = ${own} and user_id = ${by.id} and user_name = 'Earlier Name'`;
  const statements = [
    sql`insert into password_resets values (gen_random_uuid(), ${by.id}, ${mark}, ${at}, ${at})`,
    sql`insert into identities values ('https://id.example', ${mark}, ${by.id})`,
    sql`insert into invitations (id, organisation_id, email, role, token_hash, expires_at)
      values (gen_random_uuid(), ${own}, ${earlierEmail}, 'member', ${mark}, ${at})`,
    // Everyone here had the same name once: it alone makes no change theirs.
    sql`insert into audit_entries (organisation_id, at, action, user_id, user_name, address, user_agent, request_id)
      values (${own}, ${at}, 'user.updated', ${by.id}, 'Earlier Name', '192.0.2.1', 'a browser', '')`,
    sql`insert into audit_changes (entry_id, organisation_id, kind, operation, subject_id, subject, before, after)
      select id, ${own}, 'users', 'changed', ${by.id}, 'Earlier Name', jsonb_build_object('email', ${earlierEmail}::text), '{}'
      ${earlierEntry}`,
    sql`insert into audit_changes (entry_id, organisation_id, kind, operation, subject_id, subject, before, after)
      select id, ${own}, 'member_limits', 'changed', ${by.id}, 'Earlier Name', null, '{"concurrent_calls": 1}' ${earlierEntry}`,
    sql`insert into lead_views (organisation_id, user_id, name, shared, filter, columns)
      values (${own}, ${by.id}, 'Mine', false, '{}', '[]')`,
    sql`insert into crm_logins (state_hash, organisation_id, integration_id, user_id, sealed_verifier, callback_url, expires_at)
      values (${mark}, ${own}, ${integrationId}, ${by.id}, '', '', ${at})`,
    sql`insert into crm_owners (organisation_id, integration_id, owner_key, name, email, maps_to, user_id)
      values (${own}, ${integrationId}, ${mark}, 'Robin', '', 'member', ${by.id})`,
    sql`insert into follow_up_reminders (organisation_id, phone_number, user_id, remind_on, remind_at)
      values (${own}, ${`+1202555${randomInt(1000, 9999)}`}, ${by.id}, '2099-01-01', '10:00')`,
    sql`insert into member_limits (organisation_id, user_id, concurrent_calls) values (${own}, ${by.id}, 1)`,
    sql`insert into calls (call_sid, organisation_id, user_id, direction, status, phone_number, phone_number_typed, caller_id,
        carrier, created_at, ended_at, reason, process_key)
      values (${`CA${randomUUID()}`}, ${own}, ${ownerId}, 'inbound', 'no-answer', '', '', ${`${firstName} Leaver`}, 'teammate',
        ${at}, ${at}, 'hung-up-here', 0)`,
  ];
  await asSystem(app.database, async (tx) => {
    for (const statement of statements) await statement.execute(tx);
  });
  return { ...by, mark };
}

const rowsThatMention = ({ id, mark }: { id: string; mark: string }, rows: EveryRow): EveryRow =>
  new Map([...rows].map(([table, all]) => [table, all.filter((row) => row.includes(id) || row.includes(mark))]));

/** Tables of a person, by where data.json or a file lists their rows. Refresh tokens are part of a session. */
const sections: Record<string, string> = {
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

test("the export of an account has exactly the rows that its erasure deletes or blanks, and nobody else's change", async () => {
  const owner = await newOwner();
  const [by, colleague] = [await newMember(owner), await newMember(owner)];
  const { organisationId } = owner;
  const read = ({ id }: TestPerson) => readEveryRow(app.database, { organisationId, userId: id });
  // The export is an entry of its own, which the erasure blanks too.
  const answer = await app.ask("GET", "/v1/users/me/personal-data", { token: by.token });
  const files = Object.entries(unzipSync(answer.rawPayload)).map(([name, bytes]) => [name, strFromU8(bytes)] as const);
  const texts = Object.fromEntries(files);
  const data = JSON.parse(texts["data.json"] ?? "");
  const [before, ofColleague] = [await read(by), rowsThatMention(colleague, await read(colleague))];
  const body = { currentPassword: by.password };
  expect((await app.ask("POST", "/v1/users/me/erase", { token: by.token, body })).statusCode).toBe(204);
  const { refresh_tokens, audit_entries, audit_changes, ...changed } = countChanged(before, await read(by));

  const countOf = (section: string) => (section in data ? [data[section]].flat().length : "not in the export");
  expect(changed).toEqual(
    Object.fromEntries(Object.entries(sections).map(([table, section]) => [table, countOf(section)])),
  );
  expect(Object.values(changed)).not.toContain(0);
  expect(refresh_tokens).toBeGreaterThan(0);
  expect(audit_changes).toBe(data.changesOfAccount.length + data.changesUnderYourName.length);
  expect(data.changesUnderYourName).toMatchObject([{ kind: "member_limits", subject: "Earlier Name" }]);
  expect(audit_entries).toBe(texts["audit-log.jsonl"]?.trim().split("\n").length);
  expect(Object.keys(texts)).toContain("avatar/me.png");

  for (const table of [...Object.keys(sections), "refresh_tokens", "audit_entries", "audit_changes"])
    expect([table, ofColleague.get(table)]).not.toEqual([table, []]);
  expect(countChanged(ofColleague, await read(colleague))).toEqual({});
  for (const [name, text] of files)
    for (const theirs of [colleague.id, colleague.mark]) expect([name, text]).not.toContain(theirs);
});

const theWork = "what they did for the organisation, which keeps it by “Deleted user”";
/** Why the other columns that name an account, or hold an email address, stay as they are. */
const kept: Record<string, string> = {
  "do_not_call.user_id": theWork,
  "follow_ups.follow_up_user_id": theWork,
  "lead_changes.user_id": theWork,
  "lead_history.user_id": theWork,
  "lead_imports.user_id": theWork,
  "lead_merges.user_id": theWork,
  "lead_notes.user_id": theWork,
  "leads.email": "the lead's",
  "leads.follow_up_user_id": theWork,
  "leads.owner_id": theWork,
  "leads.sort_email": "the lead's",
  "limit_breaches.user_id": theWork,
  "phone_numbers.ordered_by": theWork,
  "refresh_tokens.user_id": "deleted with the session",
  "top_ups.asked_by": theWork,
};

test("a table that names an account is the account's own, or is kept for a reason", async () => {
  const known = { userId: randomUUID(), organisationIds: [], names: [], emails: [] };
  const own = Object.keys(rowsOfAccount(known));
  const naming = await asSystem(app.database, async (tx) => {
    const { rows } = await sql<{ table: string; name: string }>`
      select c.relname as table, c.relname || '.' || a.attname as name from pg_class c
      join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
        and (a.attname ~ '(^|_)(user_id|email)$' or exists (
          select from pg_constraint k where k.conrelid = c.oid and k.confrelid = 'users'::regclass
            and a.attnum = any (k.conkey)))
      order by 2`.execute(tx);
    return rows;
  });
  const others = naming.filter(({ table }) => !own.includes(table)).map(({ name }) => name);
  expect(others).toEqual(Object.keys(kept).toSorted());
});
