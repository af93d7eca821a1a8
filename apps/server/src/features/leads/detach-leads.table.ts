import type { Tx } from "../../db/transaction.ts";

export async function clearOrigin(tx: Tx, key: { organisationId: string; integrationId: string }): Promise<void> {
  await tx
    .updateTable("leads")
    .set({ integration_id: null, external_id: null })
    .where("organisation_id", "=", key.organisationId)
    .where("integration_id", "=", key.integrationId)
    .execute();
}
