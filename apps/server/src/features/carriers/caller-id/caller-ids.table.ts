import { type Generated, sql } from "kysely";
import type { Tx } from "../../../db/transaction.ts";

export interface VerifiedCallerIdTable {
  organisation_id: string;
  number: string;
  /** Named as in ShownNumber. */
  server: string;
  verified_at: Generated<string>;
}

export interface CallerIdCodeTable {
  carrier_id: string;
  organisation_id: string;
  number: string;
  server: string;
  code_hash: Buffer;
  tries: Generated<number>;
  expires_at: string;
}

export interface VerifiedAt {
  number: string;
  server: string;
}

interface Key {
  organisationId: string;
  carrierId: string;
}

export const selectVerified = (tx: Tx, organisationId: string): Promise<VerifiedAt[]> =>
  tx
    .selectFrom("verified_caller_ids")
    .select(["number", "server"])
    .where("organisation_id", "=", organisationId)
    .execute();

export async function insertVerified(tx: Tx, organisationId: string, { number, server }: VerifiedAt): Promise<void> {
  await tx
    .insertInto("verified_caller_ids")
    .values({ organisation_id: organisationId, number, server })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Replaces the carrier's earlier code. Returns when the new one expires. */
export async function putCode(
  tx: Tx,
  { organisationId, carrierId }: Key,
  { number, server, codeHash, minutes }: VerifiedAt & { codeHash: Buffer; minutes: number },
): Promise<string> {
  const expiresAt = sql<string>`clock_timestamp() + ${minutes} * interval '1 minute'`;
  const code = { number, server, code_hash: codeHash, tries: 0, expires_at: expiresAt };
  const { expires_at } = await tx
    .insertInto("caller_id_codes")
    .values({ carrier_id: carrierId, organisation_id: organisationId, ...code })
    .onConflict((conflict) => conflict.column("carrier_id").doUpdateSet(code))
    .returning("expires_at")
    .executeTakeFirstOrThrow();
  return expires_at;
}

/** Counts an attempt at the code. Undefined if there is no valid code. Other attempts wait until the transaction ends. */
export const countTry = (
  tx: Tx,
  { organisationId, carrierId }: Key,
): Promise<(VerifiedAt & { codeHash: Buffer; tries: number }) | undefined> =>
  tx
    .updateTable("caller_id_codes")
    .set({ tries: sql<number>`tries + 1` })
    .where("organisation_id", "=", organisationId)
    .where("carrier_id", "=", carrierId)
    .where("expires_at", ">", sql<string>`clock_timestamp()`)
    .returning(["number", "server", "code_hash as codeHash", "tries"])
    .executeTakeFirst();

export async function deleteCode(tx: Tx, { organisationId, carrierId }: Key): Promise<void> {
  await tx
    .deleteFrom("caller_id_codes")
    .where("organisation_id", "=", organisationId)
    .where("carrier_id", "=", carrierId)
    .execute();
}
