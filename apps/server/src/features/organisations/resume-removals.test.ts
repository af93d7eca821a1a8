import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type Database, openDatabase } from "../../db/database.ts";
import { type Jobs, runJobs } from "../../jobs/run-jobs.ts";
import { createLog } from "../../log.ts";
import { crmIds } from "../../testing/test-crm.ts";
import { ownMigratedDatabase } from "../../testing/own-database.ts";
import { createFileStore } from "../files/file-store.ts";
import { registerUser } from "../registration/register-user.ts";
import { createOrganisation } from "./create-organisation.ts";
import { organisationHooks } from "../../start/organisation-hooks.ts";
import { deleteOrganisation } from "./delete-organisation.ts";
import type { OrganisationHooks } from "./organisation-hooks.ts";
import { removeOrganisationJob, resumeRemovals } from "./remove-organisation-job.ts";

const log = createLog("silent");
const stored = await ownMigratedDatabase();
const folder = mkdtempSync(join(tmpdir(), "leadline-removals-"));
let database: Database;
let jobs: Jobs;
let hooks: OrganisationHooks[];
const changed: unknown[] = [];
let isBroken = true;
let tries = 0;
const job = {
  ...removeOrganisationJob({
    get database() {
      return database;
    },
    get hooks() {
      return hooks;
    },
  }),
  retries: 0,
};

beforeAll(async () => {
  database = openDatabase(stored.url, log);
  hooks = organisationHooks({
    database,
    store: createFileStore(folder),
    ownCarriers: () => ({ changed: async (id) => void changed.push(id) }),
    async removeEveryIntegration() {
      tries += 1;
      if (isBroken) throw new Error("the disk is full");
    },
  });
  jobs = await runJobs(stored.url, [job], log);
});
afterAll(async () => {
  await jobs.close();
  await database.close();
  await stored.drop();
  rmSync(folder, { recursive: true });
});

test("a failed removal is resumed at the next start, with its ended sync; no other organisation is affected", async () => {
  const person = {
    firstName: "Robin",
    lastName: "Tester",
    email: "robin@example.com",
    password: "correct horse staple",
  };
  const caller = {
    userId: (await registerUser(database, person, "127.0.0.1")).id,
    sessionId: randomUUID(),
    organisation: null,
  };
  const make = async (name: string) =>
    (await createOrganisation(database, caller, { name, description: null, website: null })).id;
  const [kept, gone] = [await make("Kept"), await make("Gone")];
  const integration = {
    id: randomUUID(),
    organisation_id: gone,
    label: "CRM",
    service: crmIds[0] ?? "",
  };
  await database.withTransaction({ organisationId: gone }, async (tx) => {
    await tx.insertInto("integrations").values(integration).execute();
    const run = { id: randomUUID(), organisation_id: gone, integration_id: integration.id };
    await tx.insertInto("sync_runs").values(run).execute();
  });
  const left = () =>
    database.withTransaction({ system: "a test looks for what is left" }, async (tx) =>
      (await tx.selectFrom("organisations").select("id").execute()).map(({ id }) => id),
    );
  const parts = { database, jobs, removeOrganisation: job, hooks };
  await deleteOrganisation(parts, { userId: caller.userId, organisationId: gone });
  expect(changed).toEqual([gone]);
  await vi.waitFor(() => expect(tries).toBe(1));
  expect((await left()).toSorted()).toEqual([kept, gone].toSorted());
  const [run] = await database.withTransaction({ organisationId: gone }, (tx) =>
    tx.selectFrom("sync_runs").select(["status", "problem"]).execute(),
  );
  expect(run).toEqual({ status: "failed", problem: "Its organisation was deleted." });

  isBroken = false;
  await resumeRemovals({ database }, { jobs, job });
  await vi.waitFor(async () => expect(await left()).toEqual([kept]));
  expect(tries).toBe(2);
});
