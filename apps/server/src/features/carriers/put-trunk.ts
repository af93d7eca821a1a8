import { trunkKind, type TrunkLimits } from "@leadline/adapter-kit/provisioner";
import { asLeadline } from "../../db/as-leadline.ts";
import { type CarrierDeps, requireModule } from "./carrier-deps.ts";
import {
  changeCarrier,
  insertCarrier,
  putSecrets,
  selectCarriers,
  type StoredSettings,
  useCarriers,
} from "./carriers.table.ts";
import { identifySettings } from "./identify-settings.ts";
import { openSecrets, readSettings, splitSecrets } from "./read-settings.ts";
import { refuseTakenIdentity } from "./refuse-taken-identity.ts";
import { changeInTurn, encrypt } from "./save-carrier.ts";

/**
 * Makes an API-created trunk the organisation's first carrier in use, or updates it: one that was stopped stays so.
 * Settings that aren't given stay.
 */
export async function putTrunk(
  deps: Omit<CarrierDeps, "mediaPlane">,
  trunk: {
    organisationId: string;
    carrierId: string;
    label: string;
    settings: StoredSettings;
    /** As reported by the vendor: only for a new carrier, because its owner may have changed them here. */
    limits: TrunkLimits;
  },
): Promise<void> {
  const { organisationId, carrierId, label } = trunk;
  const key = { organisationId, carrierId };
  const module = requireModule(deps.modules, trunkKind);
  const [before] = await deps.database.withTransaction({ organisationId }, (tx) => selectCarriers(tx, key));
  const kept = before && { ...before.settings, ...openSecrets(deps.sealer, before) };
  const settings = readSettings(module, { ...kept, ...trunk.settings });
  const { open, secrets } = splitSecrets(module, settings);
  const identity = await identifySettings(module, open);
  await changeInTurn(deps, { organisationId }, async (tx) => {
    await refuseTakenIdentity(tx, { organisationId, identity, settings, log: deps.log });
    const [now] = await selectCarriers(tx, key);
    await asLeadline(tx, "carrier-account.connected", async () => {
      if (now) await changeCarrier(tx, key, { settings: open, identity });
      else await insertCarrier(tx, { ...key, kind: module.id, label, settings: open, identity, ...trunk.limits });
      await putSecrets(tx, key, encrypt(deps, { organisationId, id: carrierId }, secrets));
      if (now) return;
      // The others stay in use after it, as backups, and their numbers keep ringing.
      const inUse = (await selectCarriers(tx, { organisationId, inUse: true })).map(({ id }) => id);
      await useCarriers(tx, organisationId, [carrierId, ...inUse]);
    });
    return carrierId;
  });
}
