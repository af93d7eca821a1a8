import { Client } from "pg";
import { expect, inject, test } from "vitest";
import { chooseSocketFolder } from "./postmaster.ts";

test("the embedded database is asked by its Unix socket, and by TCP where the address says so", async () => {
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

test("a folder whose name no socket's address can hold has none", () => {
  expect(chooseSocketFolder("/srv/leadline/data/postgres")).toBe("/srv/leadline/data/postgres");
  expect(chooseSocketFolder(`/srv/${"deep/".repeat(18)}postgres`)).toBe("");
  expect(chooseSocketFolder("/srv/a,b/postgres")).toBe("");
});
