import { randomUUID } from "node:crypto";
import type { AuditEntry } from "@leadline/contract/audit-log";
import { sql } from "kysely";
import { beforeAll, describe, expect, test } from "vitest";
import { auditing } from "../../db/audit-context.ts";
import {
  joinOrganisation,
  makeOrganisation,
  registerPerson,
  testApp,
  type TestPerson,
} from "../../testing/test-app.ts";
import { ownerPool } from "../../testing/test-database.ts";
import { pruneAuditLogJob } from "./prune-audit-log.ts";

const app = testApp();
const owner = ownerPool();
let person: TestPerson;
let organisationId: string;

beforeAll(async () => {
  person = await registerPerson(app);
  organisationId = (await makeOrganisation(app, person)).id;
});

const logOf = async (by: TestPerson, query = ""): Promise<AuditEntry[]> =>
  (await app.ask("GET", `/v1/audit-log?${query}`, { token: by.token })).json().entries;
const addLead = async (by: TestPerson, more = {}): Promise<string> => {
  const body = { firstName: "Ada", lastName: "Stone", email: "ada@stone.example", phone: "+12025550100", ...more };
  return (await app.ask("POST", "/v1/leads", { token: by.token, body })).json().id;
};
/** A person with a new organisation, whose log contains only its creation. */
const newOwner = async (): Promise<TestPerson & { organisationId: string }> => {
  const made = await registerPerson(app);
  return { ...made, organisationId: (await makeOrganisation(app, made)).id };
};

describe("a change through the API", () => {
  test("is recorded with who made it, when, from where, and what it was before and after", async () => {
    const id = await addLead(person);
    const changed = await app.ask("PUT", `/v1/leads/${id}`, {
      token: person.token,
      body: { phone: "+12025550199", status: "Working" },
      headers: { "user-agent": "Firefox 'on' a \\ desk", "x-request-id": "request-0001" },
      ip: "10.1.2.3",
    });
    expect(changed.statusCode).toBe(200);
    const [entry, creation] = await logOf(person);
    expect(entry).toMatchObject({
      action: "lead.updated",
      userId: person.id,
      userName: "Robin Tester",
      address: "10.1.2.3",
      userAgent: "Firefox 'on' a \\ desk",
      requestId: "request-0001",
      changes: [
        {
          kind: "leads",
          subjectId: id,
          subject: "Ada Stone",
          operation: "changed",
          before: { phone: "+12025550100", phone_number: "+12025550100", status: "New" },
          after: { phone: "+12025550199", phone_number: "+12025550199", status: "Working" },
        },
      ],
    });
    expect(Date.parse(entry?.at ?? "")).toBeGreaterThan(Date.now() - 60_000);
    expect(creation).toMatchObject({
      action: "lead.created",
      changes: [{ operation: "created", before: null, after: { first_name: "Ada", email: "ada@stone.example" } }],
    });
  });

  test("that is rolled back leaves no entry, and one that commits always has one", async () => {
    const by = await newOwner();
    const before = await logOf(by);
    const context = {
      action: "lead.updated",
      userId: by.id,
      organisationId: by.organisationId,
      address: "10.0.0.1",
      userAgent: "",
      requestId: randomUUID(),
    };
    const rename = (name: string, fails: boolean) =>
      auditing(context, () =>
        app.database.withTransaction({ userId: by.id, organisationId: by.organisationId }, async (tx) => {
          await tx.updateTable("organisations").set({ name }).where("id", "=", by.organisationId).execute();
          if (fails) throw new Error("undo");
        }),
      );
    await expect(rename("Undone", true)).rejects.toThrow("undo");
    expect(await logOf(by)).toEqual(before);
    await rename("Done", false);
    expect((await logOf(by))[0]?.changes).toMatchObject([{ kind: "organisations", after: { name: "Done" } }]);
  });

  test("of another organisation than the active one is in that organisation's log", async () => {
    const by = await newOwner();
    const second = await makeOrganisation(app, by);
    await app.ask("PUT", `/v1/organisations/${by.organisationId}`, {
      token: by.token,
      body: { name: "The first one" },
    });
    expect(JSON.stringify(await logOf(by))).not.toContain("The first one");
    await app.ask("PUT", `/v1/users/set-organisation/${by.organisationId}`, { token: by.token });
    expect((await logOf(by))[0]).toMatchObject({
      action: "organisation.updated",
      changes: [{ kind: "organisations" }],
    });
    expect(second.id).not.toBe(by.organisationId);
  });

  test("of one's own name is in the log of the active organisation", async () => {
    const by = await newOwner();
    await app.ask("PUT", `/v1/users/${by.id}`, { token: by.token, body: { firstName: "Robyn" } });
    expect((await logOf(by))[0]).toMatchObject({
      action: "user.updated",
      changes: [{ kind: "users", before: { first_name: "Robin" }, after: { first_name: "Robyn" } }],
    });
  });

  test("by work after the response, or by a job, isn't attributed to the request", async () => {
    const by = await newOwner();
    const before = await logOf(by);
    const answered = Promise.withResolvers<void>();
    const context = { action: "late", userId: by.id, organisationId: by.organisationId, address: "", userAgent: "" };
    let late = Promise.resolve();
    await auditing({ ...context, requestId: "late" }, async () => {
      late = answered.promise.then(() =>
        app.database.withTransaction({ organisationId: by.organisationId }, async (tx) => {
          await tx.updateTable("organisations").set({ name: "Late" }).where("id", "=", by.organisationId).execute();
        }),
      );
    });
    answered.resolve();
    await late;
    expect(await logOf(by)).toEqual(before);
  });

  test("of many leads at once is one entry, which lists fifty and says how many more there are", async () => {
    const by = await newOwner();
    const leads = Array.from({ length: 60 }, (_, at) => ({
      organisation_id: by.organisationId,
      first_name: `Lead ${at}`,
      last_name: "Bulk",
      email: "",
      phone: "",
    }));
    const rows = await app.database.withTransaction({ organisationId: by.organisationId }, (tx) =>
      tx.insertInto("leads").values(leads).returning("id").execute(),
    );
    const body = { ids: rows.map(({ id }) => id), action: { kind: "status", status: "Working" } };
    expect((await app.ask("POST", "/v1/lead-changes", { token: by.token, body })).json().changed).toBe(60);
    const entries = await logOf(by, "action=leads.changed");
    expect(entries).toHaveLength(1);
    const changes = entries[0]?.changes ?? [];
    expect(changes).toHaveLength(51);
    expect(changes[0]).toMatchObject({ kind: "lead_changes", operation: "created", after: { total: 60 } });
    // Eleven leads, and that the change is finished.
    expect(changes.at(-1)).toMatchObject({ operation: "more", kind: "leads", before: null, after: { count: 12 } });
  });
});

describe("the log", () => {
  const inLog = <T>(work: Parameters<typeof app.database.withTransaction<T>>[1]) =>
    app.database.withTransaction({ system: "tests of the audit log" }, work);

  test("is append-only: nothing changes or deletes an entry", async () => {
    await addLead(person);
    const ofThisOne = sql`organisation_id = ${organisationId}`;
    for (const statement of [
      sql`update audit_entries set address = '' where ${ofThisOne}`,
      sql`update audit_changes set after = null where ${ofThisOne}`,
      sql`delete from audit_changes where ${ofThisOne}`,
      sql`delete from audit_entries where ${ofThisOne}`,
    ])
      await expect(inLog((tx) => statement.execute(tx))).rejects.toThrow(/append-only/);
    await expect(owner.query("truncate audit_entries cascade")).rejects.toThrow(/append-only/);
  });

  test("is kept as long as an owner has chosen, then deleted by a job", async () => {
    const by = await newOwner();
    const put = (body: object) => app.ask("PUT", "/v1/audit-log/settings", { token: by.token, body });
    for (const keptDays of [29, 3_651, 90.5, "90"]) expect((await put({ keptDays })).statusCode).toBe(422);
    expect((await put({ keptDays: 90 })).json()).toMatchObject({ keptDays: 90 });
    expect((await app.ask("GET", "/v1/audit-log/settings", { token: by.token })).json()).toMatchObject({
      keptDays: 90,
      actions: expect.arrayContaining(["lead.updated", "audit-log.settings-changed"]),
    });
    const fill = (action: string, daysAgo: number) =>
      inLog(async (tx) => {
        await sql`
          with entry as (
            insert into audit_entries (organisation_id, at, action, user_name, address, user_agent, request_id)
            values (${by.organisationId}, now() - make_interval(days => ${daysAgo}), ${action}, '', '', '', '')
            returning id)
          insert into audit_changes (entry_id, organisation_id, kind, subject_id, subject, operation)
          select id, ${by.organisationId}, 'leads', '', '', 'created' from entry`.execute(tx);
      });
    await fill("too-old", 91);
    await fill("old", 89);
    await pruneAuditLogJob(app.database).run({}, { enqueue: async () => {} });
    const actions = (await logOf(by)).map(({ action }) => action);
    expect(actions).toContain("old");
    expect(actions).not.toContain("too-old");
    expect(actions[0]).toBe("audit-log.settings-changed");
  });

  test("is readable by owners and admins; only owners set how long it is kept", async () => {
    const by = await newOwner();
    const [admin, member] = [await registerPerson(app), await registerPerson(app)];
    await joinOrganisation(app, admin, { organisationId: by.organisationId, role: "admin" });
    await joinOrganisation(app, member, { organisationId: by.organisationId, role: "member" });
    const statusOf = async (token: string, path: string) => (await app.ask("GET", path, { token })).statusCode;
    for (const path of ["/v1/audit-log", "/v1/audit-log/export", "/v1/audit-log/settings"])
      expect([await statusOf(admin.token, path), await statusOf(member.token, path)]).toEqual([200, 403]);
    const body = { keptDays: 30 };
    expect((await app.ask("PUT", "/v1/audit-log/settings", { token: admin.token, body })).statusCode).toBe(403);
  });

  test("can be searched by person, action, text and day, page by page", async () => {
    const by = await newOwner();
    const admin = await registerPerson(app);
    await joinOrganisation(app, admin, { organisationId: by.organisationId, role: "admin" });
    const lead = await addLead(by, { lastName: "100%_Stone" });
    await app.ask("PUT", `/v1/leads/${lead}`, { token: admin.token, body: { company: "Ünder Ltd" } });
    const found = async (query: string) => (await logOf(by, query)).map(({ action }) => action);
    expect(await found(`userId=${admin.id}`)).toEqual(["lead.updated"]);
    expect(await found("action=lead.created")).toEqual(["lead.created"]);
    expect(await found(`search=${encodeURIComponent("ünder")}`)).toEqual(["lead.updated"]);
    expect(await found(`search=${encodeURIComponent("100%_s")}`)).toEqual(["lead.updated", "lead.created"]);
    expect(await found("search=100zz")).toEqual([]);
    const today = new Date().toISOString().slice(0, 10);
    expect(await found(`from=${today}&to=${today}&action=lead.created`)).toEqual(["lead.created"]);
    expect(await found("from=2020-01-01&to=2020-01-31")).toEqual([]);
    for (let at = 0; at < 51; at += 1)
      await app.ask("PUT", `/v1/leads/${lead}`, { token: by.token, body: { company: `Company ${at}` } });
    const first = (await app.ask("GET", "/v1/audit-log", { token: by.token })).json();
    expect([first.entries.length, first.hasMore]).toEqual([50, true]);
    const second = (
      await app.ask("GET", `/v1/audit-log?before=${first.entries.at(-1).id}`, { token: by.token })
    ).json();
    expect([second.entries[0].changes[0].after.company, second.hasMore]).toEqual(["Company 0", false]);
  });

  test("shows values that are members by name, in the list and in the CSV, which quotes every cell", async () => {
    const by = await newOwner();
    await addLead(by, { lastName: "=Stone", ownerId: by.id });
    const listed = (await app.ask("GET", "/v1/audit-log?action=lead.created", { token: by.token })).json();
    expect(listed.people).toEqual({ [by.id]: "Robin Tester" });
    expect(listed.entries[0].changes[0].after.owner_id).toBe(by.id);
    const file = await app.ask("GET", "/v1/audit-log/export?action=lead.created", { token: by.token });
    expect(file.headers["content-disposition"]).toContain("audit-log.csv");
    const [head, line, ...others] = file.body.trim().split("\n");
    expect(others).toEqual([]);
    expect(head).toContain('"Time (UTC)","Who","Action"');
    expect(line).toContain('"Robin Tester","lead.created","leads","Ada =Stone"');
    expect(line).toContain('""owner_id"":""Robin Tester""');
    expect(line).toMatch(/^"[^"]*"(,"([^"]|"")*")+$/);
  });

  test("is deleted with its organisation", async () => {
    const by = await newOwner();
    const deleted = await app.ask("DELETE", `/v1/organisations/${by.organisationId}`, { token: by.token });
    expect(deleted.statusCode).toBe(204);
    const left = () =>
      inLog(async (tx) => {
        const { rows } = await sql<{ count: number }>`
          select count(*) from audit_entries where organisation_id = ${by.organisationId}`.execute(tx);
        return rows[0]?.count;
      });
    await expect.poll(left).toBe(0);
  });
});
