import { randomUUID } from "node:crypto";
import { expect, inject, test } from "vitest";
import { asSuperuser, ownDatabase } from "../testing/own-database.ts";
import { migrate } from "./migrate.ts";

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
  const { url, drop } = await ownDatabase();
  await Promise.all([migrate(url), migrate(url), migrate(url)]);
  const startedMs = performance.now();
  await migrate(url);
  expect(performance.now() - startedMs).toBeLessThan(2_000);
  await drop();
});

test("a database that has run the search by windows, withdrawn since, comes up with the one that stands", async () => {
  const { url, name, drop } = await ownDatabase();
  await migrate(url);
  await asSuperuser(
    [
      "drop function leadline_search.lead_positions(text[], integer)",
      "drop function leadline_search.newest_lead_positions(text[], bigint, integer)",
      "drop index leads_search",
      `create function leadline_search.windows(organisation uuid, given text) returns bigint[]
         language sql immutable as $$ select array[length(given)::bigint] $$`,
      "create index leads_search on leads using gin (leadline_search.windows(organisation_id, search))",
      `create function leadline_search.lead_positions(patterns text[], most integer) returns setof bigint
         language sql as $$ select 1::bigint $$`,
      `delete from leadline_migrations.kysely_migration
         where name in ('0034-stretches-of-leads', '0035-no-windows-of-leads', '0036-newest-found-leads')`,
    ],
    name,
  );
  await migrate(url);
  const [left] = await asSuperuser(
    [
      `select to_regprocedure('leadline_search.windows(uuid, text)') as windows,
         to_regprocedure('leadline_search.lead_positions(text[], integer)')::text as positions,
         pg_get_indexdef('leads_search'::regclass) as index`,
    ],
    name,
  );
  expect(left).toMatchObject({
    windows: null,
    positions: "leadline_search.lead_positions(text[],integer)",
    index: expect.stringContaining("gin_trgm_ops"),
  });
  await drop();
});

test("the former default hours, which had no effect, are taken for nobody's choice", async () => {
  const { url, name, drop } = await ownDatabase();
  await migrate(url);
  const weekdays = ["monday", "tuesday", "wednesday", "thursday", "friday"];
  const former = JSON.stringify(weekdays.map((day) => ({ day, opensAt: "09:00", closesAt: "17:00" })));
  const others = JSON.stringify([{ day: "monday", opensAt: "08:00", closesAt: "12:00" }]);
  const insert = (called: string, hours: string, createdAt: string) =>
    `insert into organisations (id, name, opening_hours, created_at)
       values (gen_random_uuid(), '${called}', '${hours}', ${createdAt})`;
  await asSuperuser(
    [
      insert("former default", former, "now() - interval '1 day'"),
      insert("hours of its own", others, "now() - interval '1 day'"),
      insert("made since, and chose them", former, "now() + interval '1 day'"),
      `delete from leadline_migrations.kysely_migration
         where name in ('0089-opening-hours-to-be-chosen', '0112-opening-hours-nobody-chose')`,
    ],
    name,
  );
  await migrate(url);
  const kept = await asSuperuser(["select name, opening_hours from organisations order by name"], name);
  expect(kept).toEqual([
    { name: "former default", opening_hours: [] },
    { name: "hours of its own", opening_hours: JSON.parse(others) },
    { name: "made since, and chose them", opening_hours: JSON.parse(former) },
  ]);
  await drop();
});
