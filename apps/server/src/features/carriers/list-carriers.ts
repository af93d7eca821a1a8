import type { CarrierConnection, CarrierKind } from "@leadline/contract/carriers";
import { z } from "zod";
import type { Member } from "../../http/route.ts";
import { asksForSettings, type CarrierDeps } from "./carrier-deps.ts";
import { readVerifiedNumbers, unverifiedAt } from "./caller-id/read-verified-numbers.ts";
import { selectCarriers, type StoredCarrier } from "./carriers.table.ts";
import { openSecrets } from "./read-settings.ts";

/** Carriers with settings. Each describes its own form. */
export const listCarrierKinds = ({ modules }: CarrierDeps): CarrierKind[] =>
  modules.filter(asksForSettings).map((module) => ({
    kind: module.id,
    name: module.name,
    capabilities: module.capabilities,
    form: { ...z.toJSONSchema(module.settings, { io: "input" }) },
    presets: (module.presets ?? []).map((preset) => ({
      ...preset,
      settings: { ...preset.settings },
      asks: [...preset.asks],
    })),
  }));

export async function listCarriers(deps: CarrierDeps, caller: Member): Promise<CarrierConnection[]> {
  const organisationId = caller.organisation.id;
  const scope = { userId: caller.userId, organisationId };
  const stored = await deps.database.withTransaction(scope, (tx) => selectCarriers(tx, { organisationId }));
  return Promise.all(stored.map((one) => toConnection(deps, one)));
}

export async function toConnection(deps: CarrierDeps, stored: StoredCarrier): Promise<CarrierConnection> {
  const { id, kind, label, settings, callsPerSecond, channels, inUse, createdAt } = stored;
  const state = inUse
    ? await deps.ownCarriers.stateOf(stored)
    : { level: "unused" as const, sentence: "No calls go there." };
  const callerId = inUse ? await readCallerId(deps, stored) : null;
  const secretsSet = Object.keys(openSecrets(deps.sealer, stored));
  const limits = { callsPerSecond, channels };
  return { id, kind, label, settings, secretsSet, ...limits, inUse, state, callerId, createdAt };
}

async function readCallerId(deps: CarrierDeps, stored: StoredCarrier): Promise<CarrierConnection["callerId"]> {
  const { organisationId, id: connectionId } = stored;
  const shown = await deps.ownCarriers.shownNumberOf(stored.id);
  if (!shown?.number) return null;
  const { number, servers } = shown;
  const verifiedNumbers = await deps.database.withTransaction({ organisationId }, (tx) =>
    readVerifiedNumbers(tx, { organisationId, connectionId }),
  );
  return { number, unverifiedAt: unverifiedAt({ number, servers }, verifiedNumbers) };
}
