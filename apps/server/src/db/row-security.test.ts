import { sql } from "kysely";
import { beforeAll, describe, expect, test } from "vitest";
import { makeOrganisation, registerPerson, testApp, type TestPerson } from "../testing/test-app.ts";
import { ownerPool } from "../testing/test-database.ts";
import { publishLiveEvent } from "../features/live-events/publish-live-event.ts";
import type { Tx } from "./transaction.ts";

const app = testApp();
const owner = ownerPool();
let person: TestPerson;
let stranger: TestPerson;
let organisationId: string;
let foreignId: string;

beforeAll(async () => {
  person = await registerPerson(app);
  stranger = await registerPerson(app);
  organisationId = (await makeOrganisation(app, person)).id;
  foreignId = (await makeOrganisation(app, stranger)).id;
  for (const id of [organisationId, foreignId]) {
    await app.database.withTransaction({ organisationId: id }, (tx) =>
      publishLiveEvent(tx, { organisationId: id, type: "reset", data: {} }),
    );
  }
});

const tables = async (): Promise<string[]> => {
  const { rows } = await owner.query<{ name: string }>(
    "select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') order by 1",
  );
  return rows.map((row) => row.name);
};
const count = async (tx: Tx, table: string): Promise<number> => {
  const { rows } = await sql<{ count: number }>`select count(*) as count from ${sql.table(table)}`.execute(tx);
  return rows[0]?.count ?? -1;
};

describe("the app's role", () => {
  test("is neither a superuser nor an owner, can't log in, and is bound by row-level security", async () => {
    const { rows } = await owner.query(
      `select rolsuper, rolbypassrls, rolcanlogin, rolcreaterole, rolcreatedb,
        (select count(*)::int from pg_class where relowner = r.oid) as owned
       from pg_roles r where rolname = 'leadline_app'`,
    );
    expect(rows).toEqual([
      { rolsuper: false, rolbypassrls: false, rolcanlogin: false, rolcreaterole: false, rolcreatedb: false, owned: 0 },
    ]);
  });

  test("is used by every transaction and every listener", async () => {
    const { rows } = await app.database.withTransaction({}, (tx) => sql`select current_user as me`.execute(tx));
    expect(rows).toEqual([{ me: "leadline_app" }]);
    const listener = app.database.newListener();
    await listener.connect();
    expect((await listener.query("select current_user as me")).rows).toEqual([{ me: "leadline_app" }]);
    await listener.end();
  });

  test("the embedded database's own login isn't a superuser either", async () => {
    const { rows } = await owner.query("select rolsuper, rolbypassrls from pg_roles where rolname = current_user");
    expect(rows).toEqual([{ rolsuper: false, rolbypassrls: false }]);
  });
});

describe("row-level security", () => {
  test("is enabled and forced on every table, each with a policy", async () => {
    const { rows } = await owner.query(
      `select relname as name, relrowsecurity as enabled, relforcerowsecurity as forced,
        exists (select 1 from pg_policy where polrelid = c.oid) as policy
       from pg_class c where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')`,
    );
    expect(rows.length).toBeGreaterThan(8);
    for (const row of rows) expect(row).toEqual({ name: row.name, enabled: true, forced: true, policy: true });
  });

  test("without a scope, every table is empty, for the app and for the owner", async () => {
    for (const table of await tables()) {
      const seen = await app.database.withTransaction({}, (tx) => count(tx, table));
      expect({ table, seen }).toEqual({ table, seen: 0 });
      const { rows } = await owner.query(`select count(*)::int as count from ${table}`);
      expect({ table, rows }).toEqual({ table, rows: [{ count: 0 }] });
    }
  });

  test("a raw query in one organisation sees no rows of another", async () => {
    const rows = await app.database.withTransaction({ userId: person.id, organisationId }, async (tx) => ({
      organisations: await tx.selectFrom("organisations").select("id").execute(),
      events: await tx.selectFrom("live_events").select("organisation_id").execute(),
      memberships: await tx.selectFrom("memberships").select("user_id").execute(),
      people: await tx.selectFrom("users").select("id").execute(),
      passwords: await tx.selectFrom("passwords").select("user_id").execute(),
      sessions: await tx.selectFrom("sessions").select("user_id").execute(),
    }));
    expect(rows).toEqual({
      organisations: [{ id: organisationId }],
      events: [{ organisation_id: organisationId }],
      memberships: [{ user_id: person.id }],
      people: [{ id: person.id }],
      passwords: [{ user_id: person.id }],
      sessions: [{ user_id: person.id }],
    });
  });

  test("a raw write in one organisation affects no rows of another", async () => {
    const scope = { userId: person.id, organisationId };
    const changed = await app.database.withTransaction(scope, async (tx) => [
      await tx.updateTable("organisations").set({ name: "Taken" }).where("id", "=", foreignId).executeTakeFirst(),
      await tx.updateTable("users").set({ first_name: "Taken" }).where("id", "=", stranger.id).executeTakeFirst(),
    ]);
    expect(changed.map((result) => result.numUpdatedRows)).toEqual([0n, 0n]);
    const join = app.database.withTransaction(scope, (tx) =>
      tx.insertInto("memberships").values({ organisation_id: foreignId, user_id: person.id, role: "owner" }).execute(),
    );
    await expect(join).rejects.toThrow(/row-level security/);
    const publish = app.database.withTransaction(scope, (tx) =>
      publishLiveEvent(tx, { organisationId: foreignId, type: "reset", data: {} }),
    );
    await expect(publish).rejects.toThrow(/row-level security/);
  });
});

describe("a scope", () => {
  test("ends with its transaction and never leaks through the pool", async () => {
    const scopes = [{ system: "look at everything" }, { userId: person.id, organisationId }];
    for (let round = 0; round < 20; round++) {
      await app.database.withTransaction(scopes[round % 2] ?? {}, (tx) => count(tx, "users"));
      await app.database
        .withTransaction(scopes[round % 2] ?? {}, () => Promise.reject(new Error("no")))
        .catch(() => {});
      expect(await app.database.withTransaction({}, (tx) => count(tx, "users"))).toBe(0);
    }
  });

  test("accepts nothing but identifiers", async () => {
    const wrong = app.database.withTransaction({ userId: "x', true); set role postgres; --" }, async () => {});
    await expect(wrong).rejects.toThrow(/uuid/i);
  });

  test("a swallowed statement error fails the transaction instead of silently losing it", async () => {
    const swallowed = app.database.withTransaction({ userId: person.id }, async (tx) => {
      await sql`select 1 / 0`.execute(tx).catch(() => {});
    });
    await expect(swallowed).rejects.toThrow(/rolled back/);
  });
});
