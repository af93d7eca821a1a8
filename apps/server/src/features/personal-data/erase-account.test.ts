import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { leavePastCalls } from "../../testing/past-calls.ts";
import { joinOrganisation, makeOrganisation, registerPerson, signIn, testApp } from "../../testing/test-app.ts";

const app = testApp();

/** A member whom no other text resembles, in an owner's organisation. */
async function newMember() {
  const owner = await registerPerson(app);
  const { id: organisationId } = await makeOrganisation(app, owner);
  const member = await registerPerson(app);
  await joinOrganisation(app, member, { organisationId, role: "member" });
  const mark = randomUUID().slice(0, 8);
  const firstName = `Robin${mark}`;
  await ask(member, "PUT", `/v1/users/${member.id}`, { firstName, lastName: "Leaver" });
  return { ...member, owner, organisationId, firstName };
}
type Member = Awaited<ReturnType<typeof newMember>>;

const ask = (by: { token: string }, method: "GET" | "POST" | "PUT", path: string, body?: object) =>
  app.ask(method, path, { token: by.token, ...(body && { body }) });
const erase = (by: { token: string; password: string }, currentPassword = by.password) =>
  app.ask("POST", "/v1/users/me/erase", { token: by.token, body: { currentPassword } });

/** Every table that contains one of these texts in any column: of the organisation, or of all people. */
const tablesWith = (organisationId: string, texts: readonly string[]) =>
  app.database.withTransaction({ system: "a test looks for what is left" }, async (tx) => {
    const { rows } = await sql<{ name: string; is_divided: boolean }>`
      select relname as name, exists (
        select from pg_attribute where attrelid = c.oid and attname = 'organisation_id') as is_divided
      from pg_class c where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
        and has_table_privilege(oid, 'select') order by 1`.execute(tx);
    const found: string[] = [];
    for (const { name, is_divided } of rows) {
      const { rows: left } = await sql`
        select 1 from ${sql.table(name)} t
        where ${is_divided ? sql`organisation_id = ${organisationId}` : sql`true`} and exists (select from unnest(${texts}::text[]) text where position(lower(text) in lower(t::text)) > 0)
        limit 1`.execute(tx);
      if (left.length > 0) found.push(name);
    }
    return found;
  });

async function work(by: Member): Promise<{ leadId: string; callSid: string | undefined }> {
  const body = { firstName: "Ada", lastName: "Stone", email: "ada@stone.example", phone: "+12025550142" };
  const leadId = (await ask(by, "POST", "/v1/leads", body)).json().id;
  await ask(by, "POST", `/v1/leads/${leadId}/notes`, { text: "Prefers mornings." });
  const call = { at: new Date().toISOString(), talkMs: 60_000, costMicros: 13_000 };
  const [callSid] = await leavePastCalls(app, by, [call], { charged: true });
  return { leadId, callSid };
}

test("a deleted account leaves no name, email or session in any table, and the organisation keeps the work and its sums", async () => {
  const by = await newMember();
  const { leadId } = await work(by);
  const left = () => tablesWith(by.organisationId, [by.firstName, by.email]);
  for (const table of ["users", "audit_entries", "audit_changes"]) expect(await left()).toContain(table);
  const readEntries = async () => (await ask(by.owner, "GET", "/v1/billing/entries")).json().entries;
  const [billed] = await readEntries();
  expect(billed).toMatchObject({ userName: `${by.firstName} Leaver`, amountMicros: -13_000 });

  expect((await erase(by)).statusCode).toBe(204);
  expect(await left()).toEqual([]);
  expect(await readEntries()).toMatchObject([{ ...billed, userName: "Former member" }]);
  const [note] = (await ask(by.owner, "GET", `/v1/leads/${leadId}/notes`)).json();
  expect(note).toMatchObject({ text: "Prefers mornings.", userName: "Former member" });
  expect((await ask(by, "GET", "/v1/users/me")).statusCode).toBe(401);
  expect((await app.ask("POST", "/v1/login", { body: { email: by.email, password: by.password } })).statusCode).toBe(
    401,
  );
  expect((await ask(by.owner, "GET", "/v1/members")).json()).toHaveLength(1);
  // The address is free for a new account, which has none of the old one's things.
  const again = { firstName: "Robin", lastName: "Again", email: by.email, password: by.password };
  const registered = (await app.ask("POST", "/v1/register", { body: again })).json();
  expect(registered.id).not.toBe(by.id);
  const { token } = await signIn(app, by);
  expect((await app.ask("GET", "/v1/organisations", { token })).json()).toEqual([]);
});

test("the audit log keeps what they did and that they deleted their account, without name and address", async () => {
  const by = await newMember();
  await work(by);
  const entriesOf = async () =>
    (await ask(by.owner, "GET", `/v1/audit-log?userId=${by.id}`)).json().entries as {
      action: string;
      changes: { kind: string; subject: string }[];
    }[];
  const before = await entriesOf();
  expect((await erase(by)).statusCode).toBe(204);
  const [erased, ...others] = await entriesOf();
  expect(erased).toMatchObject({ action: "user.erased", changes: [{ kind: "memberships", operation: "deleted" }] });
  expect(others.map(({ action }) => action)).toEqual(before.map(({ action }) => action));
  for (const entry of [erased, ...others])
    expect(entry).toMatchObject({ userName: "Deleted user", address: "", userAgent: "" });
  const lead = others.find(({ action }) => action === "lead.created");
  expect(lead?.changes).toMatchObject([{ kind: "leads", subject: "Ada Stone", after: { email: "ada@stone.example" } }]);
});

test("takes the password again, and is refused to an organisation's only owner until another is one", async () => {
  const by = await newMember();
  expect((await ask(by, "POST", "/v1/users/me/erase", {})).json().type).toBe("/api/docs#password-required");
  expect((await erase(by, "another password")).json().type).toBe("/api/docs#wrong-credentials");
  const refused = (await erase(by.owner)).json();
  expect(refused.type).toBe("/api/docs#last-owner");
  expect(refused.detail).toMatch(/^You’re the only owner of “Organisation .*”\./);
  await ask(by.owner, "PUT", `/v1/members/${by.id}`, { role: "owner", currentPassword: by.owner.password });
  expect((await erase(by.owner)).statusCode).toBe(204);
  expect((await ask(by, "GET", "/v1/members")).json()).toMatchObject([{ userId: by.id, role: "owner" }]);
});

test("removes the picture from disk", async () => {
  const by = await newMember();
  const png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
  const form = new FormData();
  form.append("file[]", new File([Buffer.from(png, "base64")], "me.png"));
  form.append("entity", "user");
  form.append("entityId", by.id);
  expect((await app.ask("POST", "/v1/files", { token: by.token, form })).statusCode).toBe(201);
  const stored = await app.database.withTransaction({ userId: by.id }, (tx) =>
    tx.selectFrom("files").select("stored_name").where("avatar_of", "=", by.id).executeTakeFirstOrThrow(),
  );
  expect((await erase(by)).statusCode).toBe(204);
  const isLeft = () =>
    app.store.sizeOf(stored.stored_name).then(
      () => true,
      () => false,
    );
  await expect.poll(isLeft, { timeout: 30_000 }).toBe(false);
});
