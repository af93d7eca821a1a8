import { randomUUID } from "node:crypto";
import type { SandboxCrm } from "@leadline/crm-sandbox/sandbox-crm";
import { crms as knownCrms } from "../adapters.ts";
import type { Database } from "../db/database.ts";
import { openCrms } from "../features/integrations/open-crms.ts";
import { openIntegrations } from "../features/integrations/open-integrations.ts";
import type { ReportDeps } from "../features/integrations/webhooks/subscribe-to-changes.ts";
import { createWebhookKeys } from "../features/integrations/webhooks/webhook-keys.ts";
import type { Route } from "../http/route.ts";
import type { Log } from "../log.ts";
import { createSealer } from "../seal-secrets.ts";
import type { DeriveKey } from "../secrets.ts";
import { startSandboxCrms } from "../start/start-sandbox-crms.ts";
import { jobsOnDemand } from "./jobs-on-demand.ts";

/** Of every CRM, in the order of the adapters' list. */
export const crmIds = knownCrms.map(({ module }) => module.id);

export interface TestCrm {
  /** The first CRM's sandbox. */
  readonly sandbox: SandboxCrm;
  sandboxOf(service: string): SandboxCrm;
  /** The dependencies of another process: its own adapters, the same key, database and CRM. */
  openDeps(environment?: Record<string, string>): ReportDeps;
  start(): Promise<readonly Route[]>;
  stop(): Promise<void>;
}

/** The real adapters over HTTP against this suite's own sandbox CRM, and the real queue, from its first job on. */
export function testCrm(deps: { database: Database; deriveKey: DeriveKey; log: Log }, databaseUrl?: string): TestCrm {
  const { database, deriveKey, log } = deps;
  const closers: (() => unknown)[] = [];
  const crmModules = knownCrms.map(({ module }) => module);
  let sandboxes: ReadonlyMap<string, SandboxCrm> = new Map();
  const sandboxOf = (service: string | undefined): SandboxCrm => {
    const sandbox = sandboxes.get(service ?? "");
    if (sandbox === undefined) throw new Error("the sandboxes start in beforeAll");
    return sandbox;
  };
  return {
    get sandbox() {
      return sandboxOf(crmModules[0]?.id);
    },
    sandboxOf,
    openDeps(environment = {}) {
      const crms = openCrms(crmModules, { environment, sandboxes });
      closers.push(() => crms.close());
      const webhookKeys = createWebhookKeys(deriveKey);
      return { database, crms, sealer: createSealer(deriveKey, "crm-grants"), log, webhookKeys, publicUrl: null };
    },
    async start() {
      sandboxes = await startSandboxCrms({ dataDir: null, publicUrl: null, isUnlimited: true });
      for (const sandbox of sandboxes.values()) closers.push(() => sandbox.close());
      const queueSuffix = `-${randomUUID()}`;
      const options = { crmModules, environment: {}, sandboxes, publicUrl: null, syncEveryMs: null, queueSuffix };
      const integrations = openIntegrations({ database, deriveKey, log, ...options });
      closers.push(() => integrations.close());
      // Without the scheduled jobs, which would also handle other suites' integrations.
      const jobs = jobsOnDemand(integrations.jobs, log, databaseUrl);
      closers.push(() => jobs.close());
      return integrations.routes({ jobs, publishCall: async () => {} });
    },
    async stop() {
      for (const close of closers.toReversed()) await close();
    },
  };
}
