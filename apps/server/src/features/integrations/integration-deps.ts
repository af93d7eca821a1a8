import type { Crm } from "@leadline/adapter-kit/crm";
import type { Database } from "../../db/database.ts";
import { Problem } from "../../http/problem.ts";
import type { Log } from "../../log.ts";
import type { Sealer } from "../../seal-secrets.ts";
import type { StoredIntegration } from "./integrations.table.ts";
import type { OpenCrms } from "./open-crms.ts";

/** What this feature's verbs depend on. Created once, by open-integrations.ts. */
export interface IntegrationDeps {
  database: Database;
  crms: OpenCrms;
  sealer: Sealer;
  log: Log;
}

export const noIntegration = (): Problem => new Problem("not-found", "Integration not found.");

/** The integration's CRM adapter, and its workspace in the CRM. */
export function requireCrm(
  deps: IntegrationDeps,
  integration: StoredIntegration,
): { crm: Crm; workspace: string | null } {
  return { crm: requireCrmOf(deps, integration.service), workspace: integration.workspace };
}

/** The CRM's name, for people. */
export const nameOf = ({ crms }: Pick<IntegrationDeps, "crms">, { service }: { service: string }): string =>
  crms.find(service)?.module.name ?? service;

export function requireCrmOf(deps: IntegrationDeps, service: string): Crm {
  const opened = deps.crms.find(service);
  if (opened !== null) return opened.crm;
  throw new Problem(
    "crm-not-available",
    `${nameOf(deps, { service })} can’t be connected yet. Your integration is kept until it can be.`,
  );
}
