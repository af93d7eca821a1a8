import type { VendorSandbox } from "@leadline/carrier-sandbox/vendor/vendor-sandbox";
import { afterAll, beforeAll } from "vitest";
import { startVendorSandboxes } from "../start/start-vendor-sandboxes.ts";
import { ownMigratedDatabase } from "./own-database.ts";

/**
 * A migrated database and running vendor sandboxes for one suite. Apps on a shared database resume each other's
 * unfinished work: another suite's app would process these accounts and orders with its own key. Call it before the app
 * is made, so that both outlive it. `sandboxes` is filled before the first test.
 */
export async function ownVendorSandboxes(): Promise<{
  databaseUrl: string;
  sandboxes: ReadonlyMap<string, VendorSandbox>;
}> {
  const database = await ownMigratedDatabase();
  const sandboxes = new Map<string, VendorSandbox>();
  beforeAll(async () => {
    for (const [vendor, sandbox] of await startVendorSandboxes(null)) sandboxes.set(vendor, sandbox);
  });
  afterAll(async () => {
    for (const sandbox of sandboxes.values()) await sandbox.close();
    await database.drop();
  });
  return { databaseUrl: database.url, sandboxes };
}
