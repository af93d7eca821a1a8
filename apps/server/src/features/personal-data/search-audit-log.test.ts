import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { expect, test } from "vitest";
import type { Tx } from "../../db/transaction.ts";
import { makeOrganisation, registerPerson, testApp } from "../../testing/test-app.ts";
import { blankAuditLog } from "./audit-traces.table.ts";
import { findTraces } from "./find-traces.table.ts";
import { searchAuditLog } from "./search-audit-log.ts";

const app = testApp();

test("an erasure searches older audit entries in slices before it locks anything, and only newer ones in its transaction", async () => {
  const by = await registerPerson(app);
  const { id: organisationId } = await makeOrganisation(app, by);
  const person = { firstName: "Ada", lastName: "Stone", email: "ada@stone.example", phone: "+12025550142" };
  const leadId: string = (await app.ask("POST", "/v1/leads", { token: by.token, body: person })).json().id;
  const scope = { organisationId };
  const past = (minutes: number) =>
    app.database.withTransaction(scope, async (tx) => {
      const about = { organisation_id: organisationId, kind: "leads", operation: "changed" as const };
      const { id } = await tx
        .insertInto("audit_entries")
        .values({
          organisation_id: organisationId,
          at: new Date(Date.now() - minutes * 60_000).toISOString(),
          action: "lead.updated",
          user_id: by.id,
          user_name: "Robin Tester",
          address: "",
          user_agent: "",
          request_id: "",
        })
        .returning("id")
        .executeTakeFirstOrThrow();
      await tx
        .insertInto("audit_changes")
        .values([
          { ...about, entry_id: id, subject_id: leadId, subject: "Ada", before: null, after: { email: "x" } },
          { ...about, entry_id: id, subject_id: randomUUID(), subject: "Bob", before: null, after: { email: "y" } },
        ])
        .execute();
    });
  for (const minutes of [5, 60, 61, 62, 63]) await past(minutes);
  const key = { ...scope, id: leadId };
  const traces = await app.database.withTransaction(scope, (tx) => findTraces(tx, key, { locks: false }));
  const searched = await searchAuditLog(app.database, scope, traces, 2);
  const subjects = (tx: Tx) =>
    tx.selectFrom("audit_changes").select("subject").where("organisation_id", "=", organisationId).execute();
  const named = async (tx: Tx) => (await subjects(tx)).filter(({ subject }) => subject === "Ada").length;
  const rolledBack = app.database.withTransaction(scope, async (tx) => {
    await sql`select set_config('app.erases_person', 'on', true)`.execute(tx);
    await blankAuditLog(tx, traces, { ...searched, changeIds: [] });
    expect(await named(tx)).toBe(4);
    await blankAuditLog(tx, traces, searched);
    expect(await named(tx)).toBe(0);
    expect((await subjects(tx)).filter(({ subject }) => subject === "Bob")).toHaveLength(5);
    throw new Error("seen");
  });
  await expect(rolledBack).rejects.toThrow("seen");
  const body = { currentPassword: by.password };
  const erased = await app.ask("POST", `/v1/leads/${leadId}/erase`, { token: by.token, body });
  expect(erased.statusCode).toBe(204);
  expect(await app.database.withTransaction(scope, named)).toBe(0);
});
