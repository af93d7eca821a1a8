import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { mkdir, rename, rmdir, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { LeadImport } from "@leadline/contract/lead-imports";
import { afterAll, expect, test } from "vitest";
import type { Member } from "../../http/route.ts";
import type { Jobs } from "../../jobs/run-jobs.ts";
import { createLog } from "../../log.ts";
import { testApp } from "../../testing/test-app.ts";
import { newRep } from "../../testing/test-calls.ts";
import { createFileStore } from "../files/file-store.ts";
import { importLeadsJob, importSlice, resumeLeadImports } from "./import-leads-job.ts";
import { prepareLeadImport } from "./prepare-lead-import.ts";
import { runLeadImport } from "./run-lead-import.ts";
import { createRunningChecks } from "./running-checks.ts";
import { startLeadImport } from "./start-lead-import.ts";

const app = testApp();
const dataDir = mkdtempSync(join(tmpdir(), "leadline-failing-import-"));
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));
const deps = { database: app.database, store: createFileStore(dataDir), log: createLog("silent") };
const job = importLeadsJob(deps, `import-leads-${randomUUID()}`);
const mapping = { firstName: 0, lastName: 1, email: 2, phone: 3 };

/** Without a queue, so that the test itself is the worker. Enqueued jobs are recorded. */
const asked: unknown[] = [];
const jobs: Pick<Jobs, "enqueue"> = { enqueue: async (_tx, _job, data) => void asked.push(data) };

async function runningImport(rowCount: number) {
  const rep = await newRep(app);
  const path = join(dataDir, randomUUID());
  const rows = Array.from(
    { length: rowCount },
    (_, index) => `First${index},Last${index},n@example.com,+1202555${1_000 + index}`,
  );
  await writeFile(path, ["First name,Last name,Email,Phone", ...rows].join("\n"));
  const organisation = { id: rep.organisationId, role: "owner" as const };
  const caller: Member = { userId: rep.id, sessionId: randomUUID(), organisation };
  const before = new Set(await deps.store.listOlderThan(Infinity));
  const importDeps = { ...deps, jobs, job, checks: createRunningChecks() };
  const { id } = await prepareLeadImport(importDeps, caller, {
    file: { name: "leads.csv", path, sizeBytes: 1 },
    gone: new AbortController().signal,
  });
  await startLeadImport(importDeps, caller, { id, mapping, skipKnownNumbers: false });
  const storedName = (await deps.store.listOlderThan(Infinity)).find((name) => !before.has(name)) ?? "";
  const stored = join(dataDir, "files", storedName);
  const read = async (): Promise<LeadImport> =>
    (await app.ask("GET", `/v1/lead-imports/${id}`, { token: rep.token })).json();
  return {
    key: { id, organisationId: rep.organisationId },
    read,
    /** Makes the file unreadable, by putting a folder in its place. */
    async hideBytes() {
      await rename(stored, `${path}.kept`);
      await mkdir(stored);
    },
    async showBytes() {
      await rmdir(stored);
      await rename(`${path}.kept`, stored);
    },
    async resumed(idleMs: number): Promise<boolean> {
      asked.length = 0;
      await resumeLeadImports(deps, { jobs, job, idleMs });
      return asked.some((data) => JSON.stringify(data).includes(id));
    },
  };
}

test("runs an import in slices, so that other imports get their turn", async () => {
  const { key, read } = await runningImport(2_500);
  expect(await runLeadImport(deps, { ...key, sliceMs: 0 })).toBe(true);
  expect(await read()).toMatchObject({ state: "running", created: 1_000 });
  expect(await runLeadImport(deps, { ...key, sliceMs: 0 })).toBe(true);
  expect(await runLeadImport(deps, { ...key, sliceMs: 0 })).toBe(false);
  expect(await read()).toMatchObject({ state: "completed", created: 2_500 });
});

test("a failed import waits before its retry, and one that no worker has any more is found", async () => {
  const { key, read, resumed, hideBytes, showBytes } = await runningImport(2);
  await hideBytes();
  // With jitter of up to a quarter either way.
  for (const meanMs of [2_000, 4_000]) {
    const afterMs = (await importSlice(deps, key))?.afterMs ?? 0;
    expect(afterMs).toBeGreaterThanOrEqual(0.75 * meanMs);
    expect(afterMs).toBeLessThanOrEqual(1.25 * meanMs);
  }
  expect(await resumed(0)).toBe(false);
  await app.database.withTransaction(key, (tx) =>
    tx.updateTable("lead_imports").set({ retry_at: null }).where("id", "=", key.id).execute(),
  );
  expect(await resumed(60_000)).toBe(false);
  expect(await resumed(0)).toBe(true);
  await showBytes();
  expect(await importSlice(deps, key)).toBeNull();
  expect(await read()).toMatchObject({ state: "completed", created: 2 });
});

test("an import that fails repeatedly is given up with a message, and isn't resumed", async () => {
  const { key, read, resumed, hideBytes } = await runningImport(2);
  await hideBytes();
  for (let failure = 1; failure < 10; failure += 1) expect(await importSlice(deps, key)).not.toBeNull();
  expect(await read()).toMatchObject({ state: "running", problem: null });
  expect(await importSlice(deps, key)).toBeNull();
  const given = await read();
  expect(given.state).toBe("failed");
  expect(given.problem).toMatch(
    /^The import failed after row 1 because of an error on our side\. Rows up to there are imported/,
  );
  expect(given.finishedAt).not.toBeNull();
  expect(await resumed(0)).toBe(false);
});
