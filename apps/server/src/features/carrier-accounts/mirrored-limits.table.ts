import type { WantedTrunk } from "@leadline/adapter-kit/provisioner";
import type { Tx } from "../../db/transaction.ts";

interface Key {
  organisationId: string;
  id: string;
}

export async function noteMirrored(tx: Tx, key: Key, limits: WantedTrunk["callLimits"]): Promise<void> {
  await tx
    .updateTable("carrier_accounts")
    .set({ mirrored_limits: JSON.stringify(limits) })
    .where("organisation_id", "=", key.organisationId)
    .where("id", "=", key.id)
    .execute();
}

/** Connected accounts of all organisations, and what their vendors were told. Needs the system scope. */
export const selectMirrored = (tx: Tx): Promise<(Key & { told: object | null })[]> =>
  tx
    .selectFrom("carrier_accounts")
    .select(["id", "organisation_id as organisationId", "mirrored_limits as told"])
    .where("state", "=", "connected")
    .where("mirrored_limits", "is not", null)
    .execute();
