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
let organisationId: string;
beforeAll(async () => {
  organisationId = (await makeOrganisation(app, await registerPerson(app))).id;
});

const visible = (tx: Tx) => tx.selectFrom("organisations").select("id").execute();

test("consecutive reads only see their own scope, and the next reader sees none of it", async () => {
  const seen = await one.readInTransaction({ organisationId }, async (tx) => [await visible(tx), await visible(tx)]);
  expect(seen).toEqual([[{ id: organisationId }], [{ id: organisationId }]]);
  expect(await one.readInTransaction({}, visible)).toEqual([]);
});

test("the next transaction on the connection can write", async () => {
  await one.readInTransaction({ organisationId }, visible);
  const changed = await one.withTransaction({ organisationId }, (tx) =>
    tx.updateTable("organisations").set({ name: "Changed" }).where("id", "=", organisationId).executeTakeFirst(),
  );
  expect(changed.numUpdatedRows).toBe(1n);
});

test("a write is refused", async () => {
  const writes = one.readInTransaction({ organisationId }, (tx) =>
    tx.updateTable("organisations").set({ name: "Never" }).where("id", "=", organisationId).execute(),
  );
  await expect(writes).rejects.toThrow("cannot execute UPDATE in a read-only transaction");
  expect(await one.readInTransaction({ organisationId }, visible)).toEqual([{ id: organisationId }]);
});

test("a connection lost during a read is reported as an unreachable database, and is not reused", async () => {
  const wire = await breakableDatabase(inject("databaseUrl"));
  const far = openDatabase(wire.url, createLog("fatal"), { maxConnections: 1 });
  const reading = far.readInTransaction({}, (tx) => sql`select pg_sleep(5)`.execute(tx));
  setTimeout(wire.cut, 100);
  await expect(reading).rejects.toThrow(DatabaseUnreachable);
  wire.mend();
  expect(await far.readInTransaction({ organisationId }, visible)).toEqual([{ id: organisationId }]);
  await far.close();
  wire.close();
});
