import { z } from "zod";
import { defineJob } from "../../../jobs/define-job.ts";
import { applyChanges } from "./apply-changes.ts";
import { confirmWebhook, type ReportDeps, subscribeToChanges } from "./subscribe-to-changes.ts";

const Key = z.object({ organisationId: z.uuid(), integrationId: z.uuid() });

export type WebhookJobs = ReturnType<typeof webhookJobs>;

export function webhookJobs(deps: ReportDeps, { queueSuffix = "" }: { queueSuffix?: string }) {
  const apply = defineJob({
    name: `apply-crm-changes${queueSuffix}`,
    schema: Key,
    atOnce: 4,
    async run(key, jobs) {
      const afterMs = await applyChanges(deps, key);
      if (afterMs === null) return;
      const { organisationId } = key;
      await deps.database.withTransaction({ organisationId }, (tx) => jobs.enqueue(tx, apply, key, { afterMs }));
    },
  });
  const subscribe = defineJob({
    name: `subscribe-to-crm-changes${queueSuffix}`,
    schema: Key,
    run: (key) => subscribeToChanges(deps, key),
  });
  const confirm = defineJob({
    name: `confirm-crm-webhook${queueSuffix}`,
    schema: Key.extend({ confirmation: z.string() }),
    run: ({ confirmation, ...key }) => confirmWebhook(deps, key, confirmation),
  });
  return { apply, subscribe, confirm };
}
