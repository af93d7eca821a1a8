import { randomUUID } from "node:crypto";
import { expect, inject, test } from "vitest";
import { asSuperuser, ownDatabase } from "../testing/own-database.ts";
import { migrate } from "./migrate.ts";

test("an owner who can't use the app's roles gets an error with the commands to run", async () => {
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
  // Now it works, although the owner isn't a superuser and can't create roles.
  await asSuperuser([`grant leadline_app, leadline_search to ${name} with inherit false`]);
  await migrate(url.href);
  await asSuperuser([`drop database ${name}`, `drop role ${name}`]);
});

test("several migrations that start together run one after the other, and a second run does nothing", async () => {
  const { url, drop } = await ownDatabase();
  await Promise.all([migrate(url), migrate(url), migrate(url)]);
  await expect(migrate(url)).resolves.toBeUndefined();
  await drop();
});
