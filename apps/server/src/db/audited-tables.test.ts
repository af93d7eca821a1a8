import { randomUUID } from "node:crypto";
import type { AuditEntry } from "@leadline/contract/audit-log";
import { describe, expect, test } from "vitest";
import { makeOrganisation, registerPerson, testApp, type TestPerson } from "../testing/test-app.ts";
import { ownerPool } from "../testing/test-database.ts";
import { auditedWithoutOrganisation, unaudited } from "./audited-tables.ts";

const app = testApp();
const owner = ownerPool();
const logOf = async (by: TestPerson): Promise<AuditEntry[]> =>
  (await app.ask("GET", "/v1/audit-log", { token: by.token })).json().entries;

describe("secrets and free text", () => {
  test("are never in the log, only the fact that they changed", async () => {
    const by = await registerPerson(app);
    await makeOrganisation(app, by);
    const person = { firstName: "Ada", lastName: "Stone", email: "ada@stone.example", phone: "+12025550100" };
    const lead = (await app.ask("POST", "/v1/leads", { token: by.token, body: person })).json().id;
    const note = `private ${randomUUID()}`;
    await app.ask("POST", `/v1/leads/${lead}/notes`, { token: by.token, body: { text: note } });
    const password = `new pass ${randomUUID()}`;
    const body = { password, currentPassword: by.password };
    expect((await app.ask("PUT", `/v1/users/${by.id}`, { token: by.token, body })).statusCode).toBe(200);
    const invitation = { email: `${randomUUID()}@example.com`, role: "member" };
    await app.ask("POST", "/v1/invitations", { token: by.token, body: invitation });
    const text = JSON.stringify(await logOf(by));
    for (const secret of [note, password, by.password, "$scrypt", "\\\\x"]) expect(text).not.toContain(secret);
    const changes = (await logOf(by)).flatMap((entry) => entry.changes);
    expect(changes.find(({ kind }) => kind === "passwords")?.after).toEqual({ hash: "(not recorded)" });
    expect(changes.find(({ kind }) => kind === "lead_notes")?.after).toMatchObject({ text: "(not recorded)" });
    expect(changes.find(({ kind }) => kind === "lead_notes")?.subject).toBe("Ada Stone");
    expect(changes.find(({ kind }) => kind === "invitations")?.after).toMatchObject({ token_hash: "(not recorded)" });
  });

  test("with a sensitive name or type are hidden in every audited table", async () => {
    const { rows } = await owner.query<{ table_name: string; name: string; type: string; arguments: string }>(`
      select c.relname as table_name, a.attname as name, t.typname as type, pg_get_triggerdef(g.oid) as arguments
      from pg_trigger g join pg_class c on c.oid = g.tgrelid
      join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      join pg_type t on t.oid = a.atttypid where g.tgname = 'audit_change'`);
    const telling = rows.filter(({ name, type }) => type === "bytea" || /secret|sealed|token|hash|password/.test(name));
    expect(telling.length).toBeGreaterThan(4);
    const shown = telling.filter((row) => !new RegExp(`[{,]${row.name}[,}]`).test(row.arguments));
    expect(shown).toEqual([]);
  });
});

describe("every table with data of organisations", () => {
  test("is audited, or listed with a reason", async () => {
    const { rows } = await owner.query<{ name: string; audited: boolean }>(`
      select c.relname as name, exists (
        select from pg_trigger where tgrelid = c.oid and tgname = 'audit_change' and tgenabled <> 'D') as audited
      from pg_class c where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and exists (
        select from pg_attribute where attrelid = c.oid and attname = 'organisation_id' and not attisdropped)
      order by 1`);
    expect(rows.length).toBeGreaterThan(40);
    for (const { name, audited } of rows) expect({ name, audited }).toEqual({ name, audited: !(name in unaudited) });
    expect(Object.keys(unaudited).filter((name) => !rows.some((row) => row.name === name))).toEqual([]);
    const others = await owner.query<{ name: string }>(
      "select tgrelid::regclass::text as name from pg_trigger where tgname = 'audit_change'",
    );
    for (const name of auditedWithoutOrganisation) expect(others.rows.map((row) => row.name)).toContain(name);
  });
});
