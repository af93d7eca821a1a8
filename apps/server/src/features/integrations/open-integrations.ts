import type { CrmModule } from "@leadline/adapter-kit/crm";
import type { Database } from "../../db/database.ts";
import type { Route } from "../../http/route.ts";
import type { AdapterRoutes } from "../../http/serve-adapter-routes.ts";
import type { Job } from "../../jobs/define-job.ts";
import type { Jobs } from "../../jobs/run-jobs.ts";
import type { Log } from "../../log.ts";
import { createSealer } from "../../seal-secrets.ts";
import type { DeriveKey } from "../../secrets.ts";
import { removeEveryIntegration } from "./connect/remove-every-integration.ts";
import { logMissedCallsJob } from "./call-logging/log-missed-calls.ts";
import { integrationRoutes } from "./integrations.routes.ts";
import { type CrmSandboxes, openCrms } from "./open-crms.ts";
import { nameOf } from "./integration-deps.ts";
import { renewGrants } from "./access/renew-grants.ts";
import { resumeSyncs } from "./sync/resume-syncs.ts";
import { scheduleSyncsJob } from "./sync/schedule-syncs.ts";
import { runCrmWriting } from "./run-crm-writing.ts";
import type { PublishCall } from "./outbox/write-due.ts";
import { webhookJobs } from "./webhooks/webhook-jobs.ts";
import { createWebhookKeys } from "./webhooks/webhook-keys.ts";
import { resumeSyncsJob, syncLeadsJob } from "./sync/sync-leads-job.ts";

export interface OpenIntegrationsOptions {
  database: Database;
  deriveKey: DeriveKey;
  crmModules: readonly CrmModule[];
  environment: Record<string, string | undefined>;
  sandboxes: CrmSandboxes;
  publicUrl: URL | null;
  /** Null turns automatic syncs off. */
  syncEveryMs: number | null;
  log: Log;
  /** For tests, whose suites share a database and so its queues. */
  queueSuffix?: string;
}
export interface Integrations {
  /** For the queue, which must know them before it starts. */
  jobs: readonly Job[];
  /** Routes that the CRMs serve, such as webhooks. */
  adapterRoutes: readonly AdapterRoutes[];
  /** Scheduled jobs for all organisations in the database. */
  scheduledJobs: readonly Job[];
  routes(given: { jobs: Pick<Jobs, "enqueue">; publishCall: PublishCall }): readonly Route[];
  /** Logs ended calls in their CRMs, and writes changed and new leads there, until closed. */
  writeToCrms(publishCall: PublishCall): { close(): Promise<void> };
  /** At start: resumes syncs that a killed process left. */
  resume(jobs: Pick<Jobs, "enqueue">): Promise<void>;
  removeEveryIntegration(organisationId: string): Promise<void>;
  nameOfCrm(service: string): string;
  close(): void;
}

export function openIntegrations(options: OpenIntegrationsOptions): Integrations {
  const { database, log, publicUrl, syncEveryMs, environment, sandboxes, queueSuffix = "" } = options;
  const crms = openCrms(options.crmModules, { environment, sandboxes });
  const deps = { database, crms, sealer: createSealer(options.deriveKey, "crm-grants"), log };
  const job = syncLeadsJob(deps, { queueSuffix });
  const webhookKeys = createWebhookKeys(options.deriveKey);
  const reporting = webhookJobs({ ...deps, webhookKeys, publicUrl }, { queueSuffix });
  const starting = { ...deps, syncLeadsJob: job, webhookJobs: reporting };
  return {
    jobs: [job, ...Object.values(reporting)],
    scheduledJobs: [
      resumeSyncsJob(deps, job),
      logMissedCallsJob(database),
      ...(syncEveryMs === null ? [] : [scheduleSyncsJob(starting, syncEveryMs)]),
    ],
    adapterRoutes: crms.adapterRoutes,
    routes: (given) => integrationRoutes({ ...starting, ...given, webhookKeys, publicUrl }),
    writeToCrms: (publishCall) => runCrmWriting({ ...deps, publicUrl, publishCall }),
    async resume(jobs) {
      await renewGrants(database, deps.sealer);
      await resumeSyncs(deps, { jobs, job, idleMs: 0 });
    },
    removeEveryIntegration: (organisationId) =>
      removeEveryIntegration({ ...deps, webhookKeys, publicUrl }, organisationId),
    nameOfCrm: (service) => nameOf(deps, { service }),
    close: () => crms.close(),
  };
}
