import { randomUUID } from "node:crypto";
import type { CarrierIdentity } from "@leadline/adapter-kit/carrier-identity";
import type { CarrierConnection, CreateCarrierInput, UpdateCarrierInput } from "@leadline/contract/carriers";
import type { z } from "zod";
import type { Tx } from "../../db/transaction.ts";
import { Problem } from "../../http/problem.ts";
import type { Member } from "../../http/route.ts";
import { isDeleted } from "../organisations/is-deleted.ts";
import { addFlatRate } from "../rates/add-flat-rate.ts";
import type { RateDeps } from "../rates/rate-deps.ts";
import { confirmedIfRequired } from "../users/confirm-password.ts";
import { countOutboundConnection } from "../attempts/count-outbound-connection.ts";
import { type CarrierDeps, noCarrier, requireModule } from "./carrier-deps.ts";
import {
  changeCarrier,
  insertCarrier,
  lockCarriers,
  putSecrets,
  selectCarriers,
  type StoredCarrier,
  type StoredSettings,
  useCarriers,
} from "./carriers.table.ts";
import { identifySettings } from "./identify-settings.ts";
import { toConnection } from "./list-carriers.ts";
import { serversEntered } from "./identities.table.ts";
import { refuseTakenIdentity } from "./refuse-taken-identity.ts";
import { openSecrets, ownerOf, readSettings, splitSecrets } from "./read-settings.ts";

/** Per organisation. */
const maxCarriers = 20;

/**
 * Saves the carrier and puts it in use first, because its owner wants to call. Carriers already in use become its
 * backups.
 */
export async function createCarrier(
  deps: CarrierDeps & Pick<RateDeps, "alertOwners">,
  caller: Member,
  { currentPassword, ...given }: z.output<typeof CreateCarrierInput>,
): Promise<CarrierConnection> {
  await countOutboundConnection(deps.database, caller.userId);
  const module = requireModule(deps.modules, given.kind);
  const settings = readSettings(module, given.settings);
  const { open, secrets } = splitSecrets(module, settings);
  const organisationId = caller.organisation.id;
  const carrierId = randomUUID();
  const identity = await identifySettings(module, open);
  const create = async (tx: Tx, confirmed: boolean): Promise<string> => {
    if ((await selectCarriers(tx, { organisationId })).length >= maxCarriers)
      throw new Problem(
        "quota-reached",
        `Your organisation has reached the limit of ${maxCarriers} carriers. Remove one you no longer need.`,
      );
    const { kind, label, pricePerMinute, callsPerSecond, channels } = given;
    await refuseTakenIdentity(tx, { organisationId, identity, settings, entered: identity?.servers, log: deps.log });
    const limits = { callsPerSecond, channels };
    await insertCarrier(tx, { organisationId, carrierId, kind, label, settings: open, identity, ...limits });
    const price = { carrierId, label, perMinuteMicros: pricePerMinute, confirmed };
    if (pricePerMinute > 0) await addFlatRate(deps, tx, caller, price);
    await putSecrets(tx, { organisationId, carrierId }, encrypt(deps, { organisationId, id: carrierId }, secrets));
    await useCarriers(tx, organisationId, [carrierId, ...(await othersInUse(tx, { organisationId, id: carrierId }))]);
    return carrierId;
  };
  const stored = await confirmedIfRequired(deps.database, caller, currentPassword, (confirmed) =>
    changeInTurn(deps, scopeOf(caller), (tx) => create(tx, confirmed)),
  );
  return toConnection(deps, stored);
}

export async function updateCarrier(
  deps: CarrierDeps,
  caller: Member,
  { carrierId, change }: { carrierId: string; change: z.output<typeof UpdateCarrierInput> },
): Promise<CarrierConnection> {
  if (change.settings !== undefined) await countOutboundConnection(deps.database, caller.userId);
  const organisationId = caller.organisation.id;
  const identity = change.settings === undefined ? null : await identifyChanged(deps, caller, { carrierId, change });
  const stored = await changeInTurn(deps, scopeOf(caller), async (tx) => {
    const [before] = await selectCarriers(tx, { organisationId, carrierId });
    if (!before) throw noCarrier();
    const key = { organisationId, carrierId };
    const { label, callsPerSecond, channels } = change;
    const plain = {
      ...(label !== undefined && { label }),
      ...(callsPerSecond !== undefined && { callsPerSecond }),
      ...(channels !== undefined && { channels }),
    };
    if (change.settings === undefined) await changeCarrier(tx, key, plain);
    else {
      const module = requireModule(deps.modules, before.kind);
      const whole = readSettings(module, { ...openSecrets(deps.sealer, before), ...change.settings });
      const { open, secrets } = splitSecrets(module, whole);
      const entered = identity ? await serversEntered(tx, before, identity) : [];
      await refuseTakenIdentity(tx, { organisationId, identity, settings: whole, entered, log: deps.log });
      await changeCarrier(tx, key, { ...plain, settings: open, identity });
      await putSecrets(tx, key, encrypt(deps, before, secrets));
    }
    if (change.inUse !== undefined && change.inUse !== before.inUse)
      await useCarriers(tx, organisationId, [...(change.inUse ? [carrierId] : []), ...(await othersInUse(tx, before))]);
    return carrierId;
  });
  return toConnection(deps, stored);
}

/** In their order. */
const othersInUse = async (tx: Tx, { organisationId, id }: Pick<StoredCarrier, "organisationId" | "id">) =>
  (await selectCarriers(tx, { organisationId, inUse: true })).map((each) => each.id).filter((each) => each !== id);

/** Null if the transaction will refuse the change anyway. */
async function identifyChanged(
  deps: CarrierDeps,
  caller: Member,
  { carrierId, change }: { carrierId: string; change: { settings?: StoredSettings | undefined } },
): Promise<CarrierIdentity | null> {
  const organisationId = caller.organisation.id;
  const scope = { userId: caller.userId, organisationId };
  const [before] = await deps.database.withTransaction(scope, (tx) =>
    selectCarriers(tx, { organisationId, carrierId }),
  );
  const module = deps.modules.find(({ id }) => id === before?.kind);
  return module ? identifySettings(module, change.settings ?? {}) : null;
}

export const encrypt = (
  deps: Pick<CarrierDeps, "sealer">,
  owner: Pick<StoredCarrier, "organisationId" | "id">,
  secrets: StoredSettings,
): string => deps.sealer.encrypt(JSON.stringify(secrets), ownerOf(owner));

const scopeOf = ({ userId, organisation }: Member) => ({ userId, organisationId: organisation.id });

/** Changes an organisation's carriers one request at a time, then releases those no longer in use. */
export async function changeInTurn(
  deps: Pick<CarrierDeps, "database" | "ownCarriers">,
  scope: { organisationId: string; userId?: string },
  change: (tx: Tx) => Promise<string>,
): Promise<StoredCarrier> {
  const { organisationId } = scope;
  const { all, changedId } = await deps.database.withTransaction(scope, async (tx) => {
    await lockCarriers(tx, organisationId);
    // The deleted organisation's carriers are already closed, and nothing would close a new one.
    if (await isDeleted(tx, organisationId)) throw noCarrier();
    const id = await change(tx);
    return { all: await selectCarriers(tx, { organisationId }), changedId: id };
  });
  const unused = all.filter(({ inUse }) => !inUse).map(({ id }) => id);
  await deps.ownCarriers.changed(organisationId, unused);
  const stored = all.find(({ id }) => id === changedId);
  if (!stored) throw noCarrier();
  return stored;
}
