import type { CarrierIdentity } from "@leadline/adapter-kit/carrier-identity";
import { sql } from "kysely";
import type { Tx } from "../../db/transaction.ts";

interface IdentitiesOfOthers {
  identities: { organisationId: string; identity: CarrierIdentity }[];
  /** The requested numbers that another organisation has verified. */
  verifiedNumbers: string[];
}

/** The identities of other organisations' carriers. Locks all identities until the transaction ends. */
export async function selectOthersInTurn(
  tx: Tx,
  organisationId: string,
  numbers: readonly string[],
): Promise<IdentitiesOfOthers> {
  await sql`select pg_advisory_xact_lock(hashtextextended('carrier identities', 0))`.execute(tx);
  // Row-level security hides other organisations' rows; this one only learns that something is taken.
  await sql`select set_config('app.scope', 'system', true)`.execute(tx);
  const rows = await tx
    .selectFrom("carriers")
    .select(["organisation_id as organisationId", "identity"])
    .where("organisation_id", "!=", organisationId)
    .where("identity", "is not", null)
    .$narrowType<{ identity: CarrierIdentity }>()
    .execute();
  const verified = await tx
    .selectFrom("verified_caller_ids")
    .select("number")
    .where("organisation_id", "!=", organisationId)
    .where("number", "in", [...numbers, ""])
    .execute();
  await sql`select set_config('app.scope', '', true)`.execute(tx);
  return { identities: rows, verifiedNumbers: verified.map(({ number }) => number) };
}

export async function findIdentity(
  tx: Tx,
  carrier: { id: string; organisationId: string },
): Promise<CarrierIdentity | null> {
  const row = await tx
    .selectFrom("carriers")
    .select("identity")
    .where("organisation_id", "=", carrier.organisationId)
    .where("id", "=", carrier.id)
    .executeTakeFirst();
  return row?.identity ?? null;
}

/** The servers that this change of a carrier enters: all of them, if they are now to identify us in another way. */
export async function serversEntered(
  tx: Tx,
  carrier: { id: string; organisationId: string },
  identity: CarrierIdentity,
): Promise<string[]> {
  const before = await findIdentity(tx, carrier);
  return before?.knownByAddress === identity.knownByAddress
    ? identity.servers.filter((server) => !before.servers.includes(server))
    : identity.servers;
}

/** Only if the settings are still the carrier's. */
export async function putIdentity(
  tx: Tx,
  carrier: { id: string; organisationId: string; generation: number },
  identity: CarrierIdentity,
): Promise<void> {
  await tx
    .updateTable("carriers")
    .set({ identity: JSON.stringify(identity) })
    .where("organisation_id", "=", carrier.organisationId)
    .where("id", "=", carrier.id)
    .where("generation", "=", carrier.generation)
    .execute();
}
