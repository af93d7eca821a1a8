import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import type { Database } from "../../db/database.ts";
import type { Jobs } from "../../jobs/run-jobs.ts";
import { createLog } from "../../log.ts";
import { testApp } from "../../testing/test-app.ts";
import { importLeadsJob } from "./import-leads-job.ts";

const app = testApp();

test("an organisation's third import waits while two of its imports run, and another organisation's doesn't", async () => {
  const goOn = Promise.withResolvers<void>();
  const begun: unknown[] = [];
  // Holds each import at its first step; there is nothing to import then.
  const held: Database = {
    ...app.database,
    async withTransaction(scope, work) {
      begun.push("organisationId" in scope ? scope.organisationId : null);
      await goOn.promise;
      return app.database.withTransaction(scope, work);
    },
  };
  const job = importLeadsJob({ database: held, store: app.store, log: createLog("silent") });
  const later: unknown[] = [];
  const jobs: Pick<Jobs, "enqueue"> = {
    enqueue: async (_tx, _job, data, options) => void later.push({ ...data, ...options }),
  };
  const [busy, other] = [randomUUID(), randomUUID()];
  const ids = [randomUUID(), randomUUID(), randomUUID()];
  const running = ids.map((id) => job.run({ id, organisationId: busy }, jobs));
  running.push(job.run({ id: randomUUID(), organisationId: other }, jobs));
  goOn.resolve();
  await Promise.all(running);
  expect(later).toEqual([{ id: ids[2], organisationId: busy, afterMs: 2_000 }]);
  expect(begun).toContain(other);
});
