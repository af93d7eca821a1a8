import type { Integration, SyncRun } from "@leadline/contract/integrations";
import { expect, test, vi } from "vitest";
import { ask, connectSandbox, killableServers, logIn } from "../../../testing/killable-servers.ts";
import { asSuperuser } from "../../../testing/own-database.ts";
import type { LeadlineProcess } from "../../../testing/start-process.ts";

const servers = await killableServers();
/** The sandbox's leads are enough for a query job, whose place in its results could be lost, too. */
const environment = { SALESFORCE_BULK_FROM: "1" };

test("a sync whose server is killed resumes after the restart, with no lead missing or duplicated", async () => {
  const first = await servers.start(environment);
  const { token, integrationId } = await connectSandbox(first);

  // Each page takes two seconds to store, so that the server can be killed during one.
  await asSuperuser(
    [
      `create function slow() returns trigger language plpgsql as $$ begin perform pg_sleep(2); return null; end $$`,
      `create trigger slow after insert on leads for each statement execute function slow()`,
    ],
    servers.database.name,
  );
  const started = await ask<SyncRun>(first.origin, `/v1/integrations/${integrationId}/sync`, { token, method: "POST" });
  const readRun = async (leadline: LeadlineProcess, by: string): Promise<SyncRun | null> => {
    const [integration] = await ask<Integration[]>(leadline.origin, "/v1/integrations", { token: by });
    return integration?.lastSync ?? null;
  };
  await vi.waitFor(async () => expect((await readRun(first, token))?.read).toBeGreaterThan(0), {
    timeout: 120_000,
    interval: 20,
  });
  await first.stop("SIGKILL");
  await asSuperuser(["drop trigger slow on leads"], servers.database.name);
  const [left] = await asSuperuser(["select count(*)::int as count from leads"], servers.database.name);
  expect([100, 200]).toContain(left?.["count"]);

  // The sandbox remembers the consent and the job, and the server resumes by itself.
  const second = await servers.start(environment);
  const again = await logIn(second);
  const finished = await vi.waitFor(
    async () => {
      const run = await readRun(second, again);
      expect(run?.status).toBe("completed");
      return run;
    },
    { timeout: 120_000, interval: 50 },
  );
  expect(finished).toMatchObject({ id: started.id, read: 250, created: 250, updated: 0, problem: null });
  const [kept] = await asSuperuser(
    ["select count(*)::int as count, count(distinct external_id)::int as people from leads"],
    servers.database.name,
  );
  expect(kept).toEqual({ count: 250, people: 250 });
}, 400_000);
