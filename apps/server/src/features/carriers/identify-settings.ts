import type { CarrierModule } from "@leadline/adapter-kit/carrier";
import type { CarrierIdentity, ClaimIdentity } from "@leadline/adapter-kit/carrier-identity";
import type { Database } from "../../db/database.ts";
import type { Log } from "../../log.ts";
import type { StoredCarrier, StoredSettings } from "./carriers.table.ts";
import { findIdentity, putIdentity } from "./identities.table.ts";
import { secretNames } from "./read-settings.ts";
import { findConflicts } from "./refuse-taken-identity.ts";
import { isRefusedByAdministrator } from "./server-owners.ts";

/** Queries DNS, so never call it inside a transaction. Ignores secrets, which don't identify a carrier. */
export async function identifySettings(
  module: CarrierModule,
  settings: StoredSettings,
): Promise<CarrierIdentity | null> {
  if (!module.identify) return null;
  const secrets = Object.fromEntries(secretNames(module).map((name) => [name, "-"]));
  const parsed = module.settings.safeParse({ ...settings, ...secrets });
  return parsed.success ? module.identify(parsed.data) : null;
}

/** For an open carrier whose server names may resolve to other addresses than when it was saved. */
export const claimFor =
  (
    { database, log }: { database: Database; log: Log },
    carrier: Pick<StoredCarrier, "id" | "organisationId" | "generation">,
  ): ClaimIdentity =>
  (identity) => {
    const { organisationId } = carrier;
    return database.withTransaction({ organisationId }, async (tx) => {
      const before = await findIdentity(tx, carrier);
      const added = before ? addedTo(before, identity) : identity;
      const conflicts = await findConflicts(tx, { organisationId, identity: added, log });
      if (conflicts.length > 0 || isRefusedByAdministrator(organisationId, identity)) return false;
      await putIdentity(tx, carrier, identity);
      return true;
    });
  };

const addedTo = (before: CarrierIdentity, now: CarrierIdentity): CarrierIdentity => ({
  ...now,
  servers: now.servers.filter((server) => !before.servers.includes(server)),
  localPort: null,
  numbers: before.vouchedFor ? [] : now.numbers,
});
