import { sql } from "kysely";
import type { Tx } from "../../db/transaction.ts";
import { type NumberOrder, toOrder } from "./phone-numbers.table.ts";

/** In one pass. The rest has its turn in the next ones. */
const [maxForAccount, maxOfCarrier] = [5, 100];

/**
 * Unfinished purchases and releases of all organisations that began long enough ago: of each carrier, every account's
 * first before anyone's second, and of each account those that weren't asked for the longest time. Needs the system scope.
 */
export async function selectUnsettled(tx: Tx, { olderThanMs }: { olderThanMs: number }): Promise<NumberOrder[]> {
  const byAccount = tx
    .selectFrom("phone_numbers")
    .selectAll()
    .select(
      sql<number>`row_number() over (partition by organisation_id, account_id order by asked_at nulls first, state_since)`.as(
        "turn",
      ),
    )
    .where("state", "in", ["buying", "releasing"])
    .where("state_since", "<=", sql<string>`clock_timestamp() - ${olderThanMs} * interval '1 millisecond'`);
  const byCarrier = tx
    .selectFrom(byAccount.as("of_account"))
    .selectAll()
    .select(
      sql<number>`row_number() over (partition by carrier order by turn, asked_at nulls first, state_since)`.as(
        "place",
      ),
    )
    .where("turn", "<=", maxForAccount);
  const rows = await tx
    .selectFrom(byCarrier.as("of_carrier"))
    .selectAll()
    .where("place", "<=", maxOfCarrier)
    .orderBy("place")
    .execute();
  return rows.map(toOrder);
}

/** Before the carrier is asked, so that an order that stays open lets the others go first. */
export async function noteAsked(tx: Tx, { organisationId, id }: { organisationId: string; id: string }): Promise<void> {
  await tx
    .updateTable("phone_numbers")
    .set({ asked_at: sql<string>`clock_timestamp()` })
    .where("organisation_id", "=", organisationId)
    .where("id", "=", id)
    .execute();
}
