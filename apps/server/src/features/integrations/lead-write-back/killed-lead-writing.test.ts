import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { SyncRun } from "@leadline/contract/integrations";
import type { Lead } from "@leadline/contract/leads";
import { expect, test, vi } from "vitest";
import { ask, connectSandbox, killableServers, logIn } from "../../../testing/killable-servers.ts";
import { asSuperuser } from "../../../testing/own-database.ts";

const servers = await killableServers();
const inDatabase = (...statements: string[]) => asSuperuser(statements, servers.database.name);

/** Counts a text in the sandbox CRM's state file. */
const timesThere = (text: string): number =>
  readFileSync(join(servers.dataDir, "sandbox-crm.json"), "utf8").split(text).length - 1;

test("a killed server leaves a lead that was being created, and an edit that was being sent, once in the CRM", async () => {
  const first = await servers.start();
  const { token, integrationId } = await connectSandbox(first);
  await ask<SyncRun>(first.origin, `/v1/integrations/${integrationId}/sync`, { token, method: "POST" });
  await vi.waitFor(
    async () => {
      const [run] = await ask<SyncRun[]>(first.origin, `/v1/integrations/${integrationId}/syncs`, { token });
      expect(run?.status).toBe("completed");
    },
    { interval: 100 },
  );
  const sending = { sendsChanges: true };
  await ask(first.origin, `/v1/integrations/${integrationId}/sending`, { token, method: "PUT", body: sending });
  // Delays recording the CRM's response, to leave time for the kill.
  await inDatabase(
    `create function slow() returns trigger language plpgsql as $$ begin perform pg_sleep(4); return new; end $$`,
    `create trigger slow before update on lead_writes for each row when (new.state = 'written') execute function slow()`,
  );
  const email = "rosalind@quarry.example";
  const added = { firstName: "Rosalind", lastName: "Quarry", email, phone: "+12025550177", company: "Quarry" };
  const lead = await ask<Lead>(first.origin, "/v1/leads", { token, body: added });
  await ask(first.origin, `/v1/leads/${lead.id}/crm-record`, { token, body: { integrationId } });
  const [, edited] = await ask<Lead[]>(first.origin, "/v1/leads?limit=2", { token });
  const jobTitle = "Keeper of the quarry";
  await ask(first.origin, `/v1/leads/${edited?.id}`, { token, method: "PUT", body: { jobTitle } });
  await vi.waitFor(() => expect([timesThere(email), timesThere(jobTitle)]).toEqual([1, 1]), { interval: 20 });
  await first.stop("SIGKILL");
  const left = await inDatabase("drop trigger slow on lead_writes", "select distinct state from lead_writes");
  // One of them, at least: on a slow machine the other one may have been recorded.
  expect(left).toContainEqual({ state: "waiting" });

  // Ends the killed worker's leases early.
  await inDatabase("update lead_writes set due_at = clock_timestamp()");
  const second = await servers.start();
  await vi.waitFor(
    async () => {
      expect(await inDatabase("select distinct state from lead_writes")).toEqual([{ state: "written" }]);
    },
    { timeout: 30_000, interval: 100 },
  );
  expect([timesThere(email), timesThere(jobTitle)]).toEqual([1, 1]);
  const again = await logIn(second);
  expect(await ask(second.origin, `/v1/leads/${lead.id}`, { token: again })).toMatchObject({ integrationId });
  expect(await ask(second.origin, `/v1/leads/${edited?.id}`, { token: again })).toMatchObject({ jobTitle });
  const found = await ask<Lead[]>(second.origin, `/v1/leads?search=${email}`, { token: again });
  expect(found).toHaveLength(1);
});
