import { sql } from "kysely";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { createLog } from "../log.ts";
import { breakableDatabase } from "../testing/breakable-database.ts";
import { makeOrganisation, registerPerson, testApp } from "../testing/test-app.ts";
import { openDatabase } from "./database.ts";
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

test("each of many reads at once sees its own scope only, and leaves none of it behind", async () => {
  const asked = Array.from({ length: 60 }, (_, turn) => scopes[turn % 2] ?? {});
  const seen = await Promise.all(asked.map((scope) => app.database.readAtOnce(scope, visible)));
  expect(seen).toEqual(asked.map(({ organisationId }) => [{ id: organisationId }]));
  expect(await app.database.readAtOnce({}, visible)).toEqual([]);
});

test("several statements that are asked for together are answered together, in one transaction", async () => {
  const now = (tx: Tx) => sql<{ id: string }>`select pg_current_xact_id()::text as id`.execute(tx);
  const [first, second] = await app.database.readAtOnce(scopes[0] ?? {}, (tx) => Promise.all([now(tx), now(tx)]));
  expect(first.rows[0]?.id).toMatch(/^\d+$/);
  expect(second.rows).toEqual(first.rows);
});

test("a statement asked for after an answer is refused, rather than run outside the transaction", async () => {
  const late = app.database.readAtOnce(scopes[0] ?? {}, async (tx) => {
    await visible(tx);
    return visible(tx);
  });
  await expect(late).rejects.toThrow("this transaction reads at once");
});

test("a statement that fails rejects, and its connection goes on", async () => {
  const fails = (tx: Tx) => sql`select 1 / (length(current_user) - length(current_user))`.execute(tx);
  for (let turn = 0; turn < 3; turn += 1) {
    await expect(one.readAtOnce(scopes[0] ?? {}, fails)).rejects.toThrow("division by zero");
    expect(await one.readAtOnce(scopes[1] ?? {}, visible)).toEqual([{ id: scopes[1]?.organisationId }]);
    expect(await one.withTransaction({}, visible)).toEqual([]);
  }
});

test("reads of one turn that share a statement with one that fails before it are answered all the same", async () => {
  const fresh = openDatabase(inject("databaseUrl"), createLog("fatal"), { maxConnections: 1 });
  const shared = (tx: Tx) => sql<{ sum: number }>`select 40 + 2 as sum`.execute(tx);
  const fails = (tx: Tx) => sql`select 1 / (length(current_user) - length(current_user))`.execute(tx);
  const [failed, ...others] = await Promise.allSettled([
    fresh.readAtOnce({}, (tx) => Promise.all([fails(tx), shared(tx)])),
    fresh.readAtOnce({}, shared),
    fresh.readAtOnce({}, shared),
  ]);
  expect(failed?.status).toBe("rejected");
  for (const other of others) expect(other).toMatchObject({ status: "fulfilled", value: { rows: [{ sum: 42 }] } });
  await fresh.close();
});

test("a connection lost while reading is told as the database being away, and is not used again", async () => {
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
