import { crms } from "../adapters.ts";
import type { Config } from "../config.ts";
import type { Database } from "../db/database.ts";
import { type Integrations, openIntegrations } from "../features/integrations/open-integrations.ts";
import type { Log } from "../log.ts";
import type { DeriveKey } from "../secrets.ts";
import type { RunningSandboxes, StartSandboxes } from "./start-sandbox-crms.ts";

export interface StartIntegrations {
  config: Config;
  database: Database;
  deriveKey: DeriveKey;
  log: Log;
  startSandboxes(options: StartSandboxes): Promise<RunningSandboxes>;
}

/** The CRMs, each with its sandbox unless the settings disable it. */
export async function startIntegrations(
  { config, database, deriveKey, log, startSandboxes }: StartIntegrations,
  closers: (() => unknown)[],
): Promise<Integrations & { sandboxes: RunningSandboxes }> {
  const { dataDir, publicUrl, environment, crmSyncEveryMs: syncEveryMs } = config;
  const sandboxes = config.sandboxCrm ? await startSandboxes({ dataDir, publicUrl }) : new Map<string, never>();
  for (const sandbox of sandboxes.values()) closers.push(() => sandbox.close());
  const crmModules = crms.map(({ module }) => module);
  const options = { crmModules, environment, sandboxes, publicUrl, syncEveryMs };
  const integrations = openIntegrations({ database, deriveKey, log, ...options });
  closers.push(() => integrations.close());
  const ofSandboxes = [...sandboxes.values()].map(({ browserPath, routes }) => ({ prefix: browserPath, routes }));
  return { ...integrations, sandboxes, adapterRoutes: [...integrations.adapterRoutes, ...ofSandboxes] };
}
