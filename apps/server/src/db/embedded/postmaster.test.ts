import { mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import { expect, inject, test } from "vitest";
import { chooseSocketFolder } from "./postmaster.ts";

test("the embedded database is reached through its Unix socket, or by TCP if the address says so", async () => {
  const clientAddress = async (url: string) => {
    const client = new Client({ connectionString: url });
    await client.connect();
    const { rows } = await client.query("select inet_client_addr() as address");
    await client.end();
    return rows[0].address;
  };
  const url = new URL(inject("databaseUrl"));
  expect(await clientAddress(url.href)).toBeNull();
  url.search = "";
  expect(await clientAddress(url.href)).toBe("127.0.0.1");
});

test("no socket is used if the folder's path is too long, contains a comma, or its file system has no sockets", async () => {
  const folder = mkdtempSync(join(tmpdir(), "leadline-socket-"));
  const deep = join(folder, "deep/".repeat(18));
  const withComma = join(folder, "a,b");
  for (const made of [deep, withComma]) mkdirSync(made, { recursive: true });
  expect(await chooseSocketFolder(folder)).toBe(folder);
  expect(readdirSync(folder)).toEqual(["a,b", "deep"]);
  for (const refused of [deep, withComma, "/proc"]) expect(await chooseSocketFolder(refused)).toBe("");
  rmSync(folder, { recursive: true });
});
