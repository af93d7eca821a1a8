import { setTimeout as sleep } from "node:timers/promises";
import { CrmError, type CrmGrant } from "@leadline/adapter-kit/crm";
import { z } from "zod";
import { Unsealable } from "../../../seal-secrets.ts";
import { accountOf } from "../account-of.ts";
import { endRefresh, findGrant, leaseRefresh, type SealedGrant } from "./crm-grants.table.ts";
import { type IntegrationDeps, nameOf, requireCrm } from "../integration-deps.ts";
import { findIntegration, type StoredIntegration } from "../integrations.table.ts";

const common = {
  accessToken: z.string(),
  refreshToken: z.string().nullable(),
  accountId: z.string().nullable(),
};
/** 0.1.0 stored the adapter's own part next to the rest. */
const StoredGrant = z.union([
  z.object({ ...common, expiresAt: z.iso.datetime().nullable(), own: z.record(z.string(), z.string()) }),
  z
    .object(common)
    .catchall(z.string())
    .transform(({ accessToken, refreshToken, accountId, ...own }) => {
      return { accessToken, refreshToken, accountId, expiresAt: null, own };
    }),
]);

interface OpenGrant {
  grant: CrmGrant;
  generation: number;
  /** The CRM has refused to refresh it. */
  isRefused: boolean;
}

/**
 * The access couldn't be renewed, though the CRM hasn't ended it: this server's client secret may be wrong or missing, or
 * a proxy may have answered. Once someone corrects that, it works again.
 */
export class NotRenewed extends CrmError {}

/** The CRM has renewed the access for another account than the one whose leads are here. */
export class OtherAccount extends CrmError {}

/** The row that a secret is sealed for: it can't be opened for another. */
export const ownerOf = (key: { organisationId: string; integrationId: string }): string =>
  `${key.organisationId}/${key.integrationId}`;

const keyOf = ({ organisationId, id }: StoredIntegration) => ({ organisationId, integrationId: id });

export async function readGrant(deps: IntegrationDeps, integration: StoredIntegration): Promise<OpenGrant> {
  const key = keyOf(integration);
  const scope = { organisationId: integration.organisationId };
  const sealed = await deps.database.readAtOnce(scope, (tx) => findGrant(tx, key));
  return openGrant(deps, integration, sealed);
}

/** Runs `work` with the current access, and again with a refreshed one if the CRM rejects it. */
export async function withCrmGrant<T>(
  deps: IntegrationDeps,
  integration: StoredIntegration,
  work: (grant: CrmGrant) => Promise<T>,
): Promise<T> {
  const ownWork = async ({ grant }: OpenGrant): Promise<T> => {
    if (isOfAnother(deps, integration, grant)) throw await judgeOtherAccount(deps, integration);
    return work(grant);
  };
  const read = await readGrant(deps, integration);
  const open = runsOutSoon(read.grant) ? await refreshGrant(deps, integration, read) : read;
  try {
    return await ownWork(open);
  } catch (error) {
    if (!(error instanceof CrmError) || error.fault !== "access-refused") throw error;
  }
  return ownWork(await refreshGrant(deps, integration, open));
}

function isOfAnother(deps: IntegrationDeps, integration: StoredIntegration, grant: CrmGrant): boolean {
  const accountId = accountOf(deps, integration, grant);
  return integration.accountId !== null && accountId !== null && accountId !== integration.accountId;
}

/** Either it was reconnected to another account after the integration was read, or a renewal has brought another one. */
async function judgeOtherAccount(deps: IntegrationDeps, integration: StoredIntegration): Promise<CrmError> {
  const key = keyOf(integration);
  const scope = { organisationId: integration.organisationId };
  const [current, sealed] = await deps.database.withTransaction(scope, async (tx) => {
    // Locked, because reconnecting changes both.
    const locked = await findIntegration(tx, key, { lock: true });
    return [locked, await findGrant(tx, key)] as const;
  });
  if (current === null || sealed === null || !isOfAnother(deps, current, openGrant(deps, current, sealed).grant))
    return new CrmError("unreachable", "This integration was connected to another account. Leadline will try again.");
  const name = nameOf(deps, integration);
  return new OtherAccount("grant-refused", `${name} now gives Leadline access to another account than before.`);
}

/** Longer than a request takes. */
const aheadMs = 120_000;

/** If the CRM reports when. Without a refresh token it is used until it expires. */
const runsOutSoon = ({ expiresAt, refreshToken }: CrmGrant): boolean =>
  expiresAt !== null && refreshToken !== null && Date.parse(expiresAt) - Date.now() < aheadMs;

/** Longer than an adapter waits for new tokens. A killed worker's lease expires. */
const leaseMs = 30_000;
const pollMs = 100;

/**
 * Refreshes once at a time, across processes: two concurrent refreshes look like a stolen token to the CRM, which then
 * revokes access. The holder of the lease asks the CRM outside any transaction. The others wait for the newer
 * generation, or for its refusal. New tokens are committed before use.
 */
async function refreshGrant(
  deps: IntegrationDeps,
  integration: StoredIntegration,
  seen: OpenGrant,
): Promise<OpenGrant> {
  const key = keyOf(integration);
  const { generation } = seen;
  const scope = { organisationId: integration.organisationId };
  for (let waitedMs = 0; waitedMs < 2 * leaseMs; waitedMs += pollMs) {
    const isMine = await deps.database.withTransaction(scope, (tx) => leaseRefresh(tx, key, { generation, leaseMs }));
    if (isMine) return refreshNow(deps, integration, seen);
    const current = await readGrant(deps, integration);
    if (current.generation !== generation) return current;
    if (current.isRefused)
      throw new CrmError("grant-refused", `${nameOf(deps, integration)} no longer accepts Leadline’s access.`);
    await sleep(pollMs);
  }
  throw new CrmError("unreachable", "Leadline couldn’t renew its access in time. It will try again.");
}

async function refreshNow(
  deps: IntegrationDeps,
  integration: StoredIntegration,
  { grant, generation }: OpenGrant,
): Promise<OpenGrant> {
  const { crm, workspace } = requireCrm(deps, integration);
  const key = keyOf(integration);
  const scope = { organisationId: integration.organisationId };
  const end = (refreshed: { sealed: string | null; isRefused: boolean }) =>
    deps.database.withTransaction(scope, (tx) => endRefresh(tx, key, { generation, ...refreshed }));
  const fresh = await crm.refresh(workspace, grant).catch(async (error: unknown) => {
    const isRefused = error instanceof CrmError && error.fault === "grant-refused";
    if (!(await end({ sealed: null, isRefused }))) return null;
    const isOther = error instanceof CrmError && error.fault === "refused";
    throw isOther ? new NotRenewed("refused", error.message, { cause: error }) : error;
  });
  const isKept =
    fresh !== null &&
    (await end({ sealed: deps.sealer.encrypt(JSON.stringify(fresh), ownerOf(key)), isRefused: false }));
  // Otherwise it was reconnected meanwhile, so the stored grant is newer.
  return isKept ? { grant: fresh, generation: generation + 1, isRefused: false } : readGrant(deps, integration);
}

function openGrant(deps: IntegrationDeps, integration: StoredIntegration, stored: SealedGrant | null): OpenGrant {
  if (stored === null) throw new CrmError("grant-refused", "Leadline has no access to this CRM.");
  try {
    const text = deps.sealer.open(stored.sealed, ownerOf(keyOf(integration)));
    return { ...stored, grant: StoredGrant.parse(JSON.parse(text)) };
  } catch (error) {
    if (!(error instanceof Unsealable)) throw error;
    throw new CrmError(
      "grant-refused",
      "This server’s encryption key has changed, so its saved access can’t be read.",
      {
        cause: error,
      },
    );
  }
}
