import { randomUUID } from "node:crypto";
import { type SandboxCrm, startSandboxCrm } from "@leadline/crm-sandbox/server";
import { crmModules } from "../adapters.ts";
import type { Database } from "../db/database.ts";
import type { IntegrationDeps } from "../features/integrations/integration-deps.ts";
import { openCrms } from "../features/integrations/open-crms.ts";
import { openIntegrations } from "../features/integrations/open-integrations.ts";
import type { Route } from "../http/route.ts";
import type { Log } from "../log.ts";
import { createSealer } from "../seal-secrets.ts";
import type { DeriveKey } from "../secrets.ts";
import { jobsOnDemand } from "./jobs-on-demand.ts";

export interface TestCrm {
  readonly sandbox: SandboxCrm;
  /** What another process works with: adapters of its own, the same key, database and CRM. */
  openDeps(): IntegrationDeps;
  start(): Promise<readonly Route[]>;
  stop(): Promise<void>;
}

/** The real adapters over HTTP against a sandbox CRM of this suite's own, and the real queue, from its first job on. */
export function testCrm(deps: { database: Database; deriveKey: DeriveKey; log: Log }, databaseUrl?: string): TestCrm {
  const { database, deriveKey, log } = deps;
  const closers: (() => unknown)[] = [];
  let sandbox: SandboxCrm | undefined;
  const started = (): SandboxCrm => {
    if (sandbox === undefined) throw new Error("the sandbox starts in beforeAll");
    return sandbox;
  };
  return {
    get sandbox() {
      return started();
    },
    openDeps() {
      const crms = openCrms(crmModules, { environment: {}, sandbox: started() });
      closers.push(() => crms.close());
      return { database, crms, sealer: createSealer(deriveKey, "crm-grants"), log };
    },
    async start() {
      sandbox = await startSandboxCrm({ file: null, publicUrl: null });
      closers.push(() => sandbox?.close());
      const queueName = `sync-leads-${randomUUID()}`;
      const options = { crmModules, environment: {}, sandbox, publicUrl: null, queueName };
      const integrations = openIntegrations({ database, deriveKey, log, ...options });
      closers.push(() => integrations.close());
      // Without the job that looks for idle runs: it would see to other suites' too.
      const jobs = jobsOnDemand(integrations.jobs.slice(0, 1), log, databaseUrl);
      closers.push(() => jobs.close());
      return integrations.routes(jobs);
    },
    async stop() {
      for (const close of closers.toReversed()) await close();
    },
  };
}
