import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { createLog } from "../log.ts";
import { breakableDatabase } from "../testing/breakable-database.ts";
import { makeOrganisation, registerPerson, testApp } from "../testing/test-app.ts";
import { slicingWire } from "../testing/slicing-wire.ts";
import { openBurstConnections } from "./bursts.ts";
import { type Database, openDatabase } from "./database.ts";
import { DatabaseUnreachable } from "./database-unreachable.ts";
import type { Tx } from "./transaction.ts";

const app = testApp();
const one = openDatabase(inject("databaseUrl"), createLog("fatal"), { maxConnections: 1 });
afterAll(() => one.close());
const scopes: { organisationId?: string; userId?: string }[] = [];

beforeAll(async () => {
  for (let count = 0; count < 2; count += 1) {
    const person = await registerPerson(app);
    scopes.push({ organisationId: (await makeOrganisation(app, person)).id, userId: person.id });
  }
});

const visible = (tx: Tx) => tx.selectFrom("organisations").select("id").execute();

test("each of many concurrent reads sees only its own scope, and leaves none of it behind", async () => {
  const asked = Array.from({ length: 60 }, (_, turn) => scopes[turn % 2] ?? {});
  const seen = await Promise.all(asked.map((scope) => app.database.readAtOnce(scope, visible)));
  expect(seen).toEqual(asked.map(({ organisationId }) => [{ id: organisationId }]));
  expect(await app.database.readAtOnce({}, visible)).toEqual([]);
});

test("statements that are issued together are answered together, in one transaction", async () => {
  const now = (tx: Tx) => sql<{ id: string }>`select pg_current_xact_id()::text as id`.execute(tx);
  const [first, second] = await app.database.readAtOnce(scopes[0] ?? {}, (tx) => Promise.all([now(tx), now(tx)]));
  expect(first.rows[0]?.id).toMatch(/^\d+$/);
  expect(second.rows).toEqual(first.rows);
});

test("a statement issued after an answer is rejected rather than run outside the transaction", async () => {
  const late = app.database.readAtOnce(scopes[0] ?? {}, async (tx) => {
    await visible(tx);
    return visible(tx);
  });
  await expect(late).rejects.toThrow("this transaction reads at once");
});

test("a failed statement rejects, and its connection stays usable", async () => {
  const fails = (tx: Tx) => sql`select 1 / (length(current_user) - length(current_user))`.execute(tx);
  for (let turn = 0; turn < 3; turn += 1) {
    await expect(one.readAtOnce(scopes[0] ?? {}, fails)).rejects.toThrow("division by zero");
    expect(await one.readAtOnce(scopes[1] ?? {}, visible)).toEqual([{ id: scopes[1]?.organisationId }]);
    expect(await one.withTransaction({}, visible)).toEqual([]);
  }
});

describe("when answers arrive in fragments", () => {
  let sliced: { url: string; close(): void };
  let database: Database;
  beforeAll(async () => {
    sliced = await slicingWire(inject("databaseUrl"), 40);
    database = openDatabase(sliced.url, createLog("fatal"), { maxConnections: 1 });
  });
  afterAll(async () => {
    await database.close();
    sliced.close();
  });
  const fails = (tx: Tx) => sql`select 1 / (length(current_user) - length(current_user))`.execute(tx);

  test("reads in one burst with an earlier failing statement are still answered", async () => {
    for (let round = 0; round < 5; round += 1) {
      const shared = (tx: Tx) => sql`select ${sql.lit(round)}::int + 42 as sum`.execute(tx);
      const [failed, ...others] = await Promise.allSettled([
        database.readAtOnce({}, (tx) => Promise.all([fails(tx), shared(tx)])),
        ...Array.from({ length: 12 }, () => database.readAtOnce({}, shared)),
      ]);
      expect(failed?.status).toBe("rejected");
      for (const other of others) expect(other).toMatchObject({ value: { rows: [{ sum: 42 + round }] } });
    }
  });

  test("unnamed statements are kept apart, each with its own columns", async () => {
    const burst = (at: number) => ({ name: "", text: `select ${at} as c${at}, 'x' as d${at}`, values: [] });
    const connections = openBurstConnections(
      { connectionString: sliced.url },
      { log: createLog("fatal"), maxConnections: 1 },
    );
    const asked = Array.from({ length: 30 }, (_, at) => connections.ask(() => [burst(at), burst(at + 100)]));
    const expected = (at: number) => [{ [`c${at}`]: at, [`d${at}`]: "x" }];
    expect(await Promise.all(asked)).toEqual(asked.map((_, at) => [expected(at), expected(at + 100)]));
    await connections.close();
  });

  test("a statement that Postgres has dropped is prepared again", async () => {
    const connections = openBurstConnections(
      { connectionString: sliced.url },
      { log: createLog("fatal"), maxConnections: 1 },
    );
    const ask = (text: string, name: string) => connections.ask(() => [{ name, text, values: [] }]);
    await ask("select 42 as sum", "kept");
    await ask("deallocate all", "");
    expect(await ask("select 42 as sum", "kept")).toEqual([[{ sum: 42 }]]);
    await connections.close();
  });

  test("a value that can't be sent or parsed only fails its own read", async () => {
    const toomuch = (tx: Tx) => sql`select 9007199254740993::bigint as sum`.execute(tx);
    const unsendable = (tx: Tx) => sql`select ${{ sum: 1n }}::jsonb`.execute(tx);
    const [unsent, unread, ...others] = await Promise.allSettled([
      database.readAtOnce({}, unsendable),
      database.readAtOnce({}, toomuch),
      database.readAtOnce(scopes[0] ?? {}, visible),
      database.readAtOnce(scopes[1] ?? {}, visible),
    ]);
    expect([unsent?.status, unread?.status]).toEqual(["rejected", "rejected"]);
    expect(others).toMatchObject(scopes.map(({ organisationId }) => ({ value: [{ id: organisationId }] })));
  });
});

test("a connection lost during a read is reported as an unreachable database, and is not reused", async () => {
  const wire = await breakableDatabase(inject("databaseUrl"));
  const far = openDatabase(wire.url, createLog("fatal"), { maxConnections: 1 });
  await far.readAtOnce({}, visible);
  const reading = far.readAtOnce({}, (tx) => sql`select pg_sleep(5)`.execute(tx));
  setTimeout(wire.cut, 100);
  await expect(reading).rejects.toThrow(DatabaseUnreachable);
  wire.mend();
  expect(await far.readAtOnce(scopes[0] ?? {}, visible)).toEqual([{ id: scopes[0]?.organisationId }]);
  await far.close();
  wire.close();
});
