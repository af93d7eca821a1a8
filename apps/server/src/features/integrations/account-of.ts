import type { CrmGrant } from "@leadline/adapter-kit/crm";
import type { Tx } from "../../db/transaction.ts";
import { Problem } from "../../http/problem.ts";
import { type IntegrationDeps, nameOf } from "./integration-deps.ts";
import { findConnectionOf, type StoredIntegration } from "./integrations.table.ts";

type Service = Pick<StoredIntegration, "service">;

/** Instead of an account, for a CRM whose records have global ids (migration 0086). */
const anyAccount = "any";

const hasGlobalIds = ({ crms }: Pick<IntegrationDeps, "crms">, { service }: Service): boolean =>
  crms.find(service)?.module.capabilities.globalIds ?? false;

/** The account that the integration's leads, cursor and erasures belong to. */
export const accountOf = (
  deps: Pick<IntegrationDeps, "crms">,
  integration: Service,
  { accountId }: Pick<CrmGrant, "accountId">,
): string | null => (hasGlobalIds(deps, integration) ? anyAccount : accountId);

/**
 * Two integrations with one account would create every lead twice. Where the ids are global, two with one source would.
 */
export async function refuseSecondConnection(
  deps: IntegrationDeps,
  tx: Tx,
  integration: StoredIntegration,
  { accountId, source }: { accountId: string | null; source: string | null },
): Promise<void> {
  const bySource = hasGlobalIds(deps, integration);
  if (accountId === null || (bySource && source === null)) return;
  const other = await findConnectionOf(tx, integration, { accountId, source: bySource ? source : null });
  if (other === null) return;
  const what = `This ${nameOf(deps, integration)} ${bySource ? "source" : "account"}`;
  throw new Problem(
    "already-connected",
    `${what} is already connected as “${other.label}”. Connecting it again would duplicate every lead. Sync that one, or remove it first.`,
  );
}
