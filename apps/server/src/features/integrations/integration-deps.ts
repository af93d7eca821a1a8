import type { Crm } from "@leadline/adapter-kit/crm";
import { type CrmService, crmServiceNames } from "@leadline/contract/integrations";
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
export const nameOf = ({ crms }: IntegrationDeps, { service }: { service: string }): string =>
  crms.find(service)?.module.name ?? service;

export function requireCrmOf(deps: IntegrationDeps, service: CrmService): Crm {
  const opened = deps.crms.find(service);
  if (opened !== null) return opened.crm;
  const name = crmServiceNames[service];
  throw new Problem("crm-not-available", `${name} can’t be connected yet. Your integration is kept until it can be.`);
}
