import { sql } from "kysely";
import type { Tx } from "../../db/transaction.ts";

/** Where a number has one holder: the telephone network or, for a sandbox, that of this carrier alone. */
export type Network = { isSandbox: false } | { isSandbox: true; carrier: string };

interface Holder {
  number: string;
  organisationId: string;
}

/** Who has, or is buying, these numbers there, in all organisations. Needs the system scope. */
export async function selectHolders(tx: Tx, network: Network, numbers: readonly string[]): Promise<Holder[]> {
  if (numbers.length === 0) return [];
  const found = tx
    .selectFrom("phone_numbers")
    .select(["number", "organisation_id as organisationId"])
    .where("number", "in", numbers)
    .where("state", "in", ["buying", "owned", "releasing"])
    .where("of_sandbox", "=", network.isSandbox);
  return (network.isSandbox ? found.where("carrier", "=", network.carrier) : found).execute();
}

/** For a transaction of one organisation, from which row-level security hides the others' rows. */
export async function selectHoldersForOthers(tx: Tx, network: Network, numbers: readonly string[]): Promise<Holder[]> {
  await sql`select set_config('app.scope', 'system', true)`.execute(tx);
  const holders = await selectHolders(tx, network, numbers);
  await sql`select set_config('app.scope', '', true)`.execute(tx);
  return holders;
}
