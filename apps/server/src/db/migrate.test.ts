import { randomUUID } from "node:crypto";
import { Client } from "pg";
import { expect, inject, test } from "vitest";
import { migrate } from "./migrate.ts";

/** The run's cluster as its superuser, whose password is the owner's. */
const superuserUrl = (): string => {
  const url = new URL(inject("databaseUrl"));
  url.username = "postgres";
  return url.href;
};

async function asSuperuser(statements: string[]): Promise<void> {
  const client = new Client({ connectionString: superuserUrl() });
  await client.connect();
  for (const statement of statements) await client.query(statement);
  await client.end();
}

test("an owner who may not use the app's roles is told what to run", async () => {
  const name = `outside_${randomUUID().slice(0, 8)}`;
  await asSuperuser([`create role ${name} login password 'outside'`, `create database ${name} owner ${name}`]);
  const url = new URL(inject("databaseUrl"));
  url.username = name;
  url.password = "outside";
  url.pathname = `/${name}`;
  await expect(migrate(url.href)).rejects.toThrow(
    `As a superuser run: create role leadline_app nologin; grant leadline_app to ${name} with inherit false; ` +
      `create role leadline_search nologin; grant leadline_search to ${name} with inherit false;`,
  );
  // Then it works, although that owner is neither superuser nor may create roles.
  await asSuperuser([`grant leadline_app, leadline_search to ${name} with inherit false`]);
  await migrate(url.href);
  await asSuperuser([`drop database ${name}`, `drop role ${name}`]);
});

test("several that start at once take turns, and a second time there is nothing to do", async () => {
  const name = `fresh_${randomUUID().slice(0, 8)}`;
  await asSuperuser([`create database ${name} owner leadline`]);
  const url = new URL(inject("databaseUrl"));
  url.pathname = `/${name}`;
  await Promise.all([migrate(url.href), migrate(url.href), migrate(url.href)]);
  const startedMs = performance.now();
  await migrate(url.href);
  expect(performance.now() - startedMs).toBeLessThan(2_000);
  await asSuperuser([`drop database ${name}`]);
});
