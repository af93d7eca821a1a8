import type { Tx } from "../../db/transaction.ts";

/** All of them, with their secrets; answers which there were. */
export async function deleteCarriers(tx: Tx, organisationId: string): Promise<string[]> {
  const gone = await tx.deleteFrom("carriers").where("organisation_id", "=", organisationId).returning("id").execute();
  return gone.map(({ id }) => id);
}
