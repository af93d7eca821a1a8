import { type RawBuilder, sql } from "kysely";
import { scheduleSyncs } from "../features/integrations/sync/schedule-syncs.ts";
import { syncLeads } from "../features/integrations/sync/sync-leads.ts";
import { syncLeadsJob } from "../features/integrations/sync/sync-leads-job.ts";
import { webhookJobs } from "../features/integrations/webhooks/webhook-jobs.ts";
import type { Jobs } from "../jobs/run-jobs.ts";
import type { TestApp } from "./test-app.ts";
import type { Admin } from "./test-integrations.ts";

const everyMs = 300_000;

/** Runs the sync schedule for one organisation, with simulated time. */
export function scheduledSyncs(app: TestApp) {
  const change = ({ organisationId }: Admin, statement: RawBuilder<unknown>) =>
    app.database.withTransaction({ organisationId }, (tx) => statement.execute(tx));
  return {
    change,
    /** Starts the due syncs and runs each for up to `sliceMs`. Returns the run IDs. */
    async schedule({ organisationId }: Admin, { sliceMs = 60_000 } = {}): Promise<string[]> {
      const deps = app.crm.openDeps();
      const started: string[] = [];
      const job = syncLeadsJob(deps, {});
      const enqueue: Jobs["enqueue"] = async (_tx, { name, schema }, data) => {
        if (name === job.name) started.push(String(schema.loose().parse(data)["runId"]));
      };
      const webhookKeys = { keyOf: () => "", read: () => null };
      const reporting = webhookJobs({ ...deps, webhookKeys, publicUrl: null }, {});
      const starting = { ...deps, jobs: { enqueue }, syncLeadsJob: job, webhookJobs: reporting };
      await scheduleSyncs(starting, { everyMs, organisationId });
      for (const runId of started) await syncLeads(deps, { runId, organisationId, sliceMs });
      return started;
    },
    goOn: ({ organisationId }: Admin, runId: string) =>
      syncLeads(app.crm.openDeps(), { runId, organisationId, sliceMs: 60_000 }),
    letPass: (by: Admin, minutes: number) =>
      change(
        by,
        sql`with aged as (
          update integrations set compared_at = compared_at - ${minutes} * interval '1 minute'
          where organisation_id = ${by.organisationId})
        update sync_runs set created_at = created_at - ${minutes} * interval '1 minute',
          ended_at = ended_at - ${minutes} * interval '1 minute' where organisation_id = ${by.organisationId}`,
      ),
  };
}
