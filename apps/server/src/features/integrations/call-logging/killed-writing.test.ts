import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { SyncRun } from "@leadline/contract/integrations";
import { expect, test, vi } from "vitest";
import { ask, connectSandbox, killableServers } from "../../../testing/killable-servers.ts";
import { asSuperuser } from "../../../testing/own-database.ts";

const servers = await killableServers();
const inDatabase = (...statements: string[]) => asSuperuser(statements, servers.database.name);

const callSid = "CA00000000000000000000000000000007";
/** Counts the call in the sandbox CRM's state file. */
const timesWritten = (): number =>
  readFileSync(join(servers.dataDir, "sandbox-crm.json"), "utf8").split(callSid).length - 1;

test("writes a call once when the server is killed between the CRM's response and recording it", async () => {
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
  // Delays recording the CRM's response, to leave time for the kill.
  await inDatabase(
    `create function slow() returns trigger language plpgsql as $$ begin perform pg_sleep(4); return new; end $$`,
    `create trigger slow before update on call_activities for each row when (new.state = 'written') execute function slow()`,
    `insert into calls (call_sid, organisation_id, user_id, direction, status, phone_number, phone_number_typed, carrier,
        process_key, ended_at, reason)
      select '${callSid}', memberships.organisation_id, memberships.user_id, 'outbound', 'no-answer', leads.phone_number, '',
        'sandbox', 0, clock_timestamp(), 'no-answer'
      from memberships join leads on leads.organisation_id = memberships.organisation_id
      where leads.phone_number = '+12025550101' limit 1`,
  );
  await vi.waitFor(() => expect(timesWritten()).toBe(1), { interval: 20 });
  await first.stop("SIGKILL");
  const [left] = await inDatabase("drop trigger slow on call_activities", "select state from call_activities");
  expect(left?.["state"]).toBe("waiting");

  // Ends the killed worker's lease early.
  await inDatabase("update call_activities set due_at = clock_timestamp()");
  await servers.start();
  await vi.waitFor(
    async () => {
      const [kept] = await inDatabase("select state, external_id from call_activities");
      expect(kept).toMatchObject({ state: "written", external_id: expect.any(String) });
    },
    { timeout: 30_000, interval: 100 },
  );
  expect(timesWritten()).toBe(1);
});
