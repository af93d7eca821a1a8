import { sql } from "kysely";
import type { Tx } from "../../../db/transaction.ts";
import { hasCallerId, moveCallerId } from "../caller-ids-of-numbers.table.ts";
import { type NumberOrder, toOrder } from "../phone-numbers.table.ts";

interface Key {
  organisationId: string;
  id: string;
}
const now = sql<string>`clock_timestamp()`;

const change = (tx: Tx, { organisationId, id }: Key) =>
  tx.updateTable("phone_numbers").where("organisation_id", "=", organisationId).where("id", "=", id);

/** What an admin should see: unfinished and refused orders and releases, and changes at the vendor. Newest first. */
export async function selectNoted(tx: Tx, organisationId: string): Promise<NumberOrder[]> {
  const rows = await tx
    .selectFrom("phone_numbers")
    .selectAll()
    .where("organisation_id", "=", organisationId)
    .where("account_id", "is not", null)
    .where((or) => or.or([or("note", "is not", null), or("state", "in", ["buying", "releasing"])]))
    .orderBy("state_since", "desc")
    .orderBy("id")
    .execute();
  return rows.map(toOrder);
}

/** The account's numbers as known here. */
export async function selectOfAccount(
  tx: Tx,
  { organisationId, accountId }: { organisationId: string; accountId: string },
): Promise<NumberOrder[]> {
  const rows = await tx
    .selectFrom("phone_numbers")
    .selectAll()
    .where("organisation_id", "=", organisationId)
    .where("account_id", "=", accountId)
    .where("state", "in", ["buying", "owned", "releasing"])
    .execute();
  return rows.map(toOrder);
}

export const setNote = async (tx: Tx, key: Key, note: string | null): Promise<void> => {
  await change(tx, key).set({ note }).execute();
};

/** A number rings at another trunk, or here again. */
export const setRingsElsewhere = async (
  tx: Tx,
  key: Key,
  { ringsElsewhere, note }: Pick<NumberOrder, "ringsElsewhere" | "note">,
): Promise<void> => {
  await change(tx, key).set({ rings_elsewhere: ringsElsewhere, note }).execute();
};

/** For an order that the vendor refused after the admin got a response. */
export const markRefused = async (tx: Tx, key: Key, note: string): Promise<void> => {
  await change(tx, key).set({ state: "refused", state_since: now, note }).where("state", "=", "buying").execute();
};

/** For a number that the account no longer holds. Lock first. */
export async function markGone(tx: Tx, order: NumberOrder, note: string): Promise<void> {
  await change(tx, order)
    .set({ state: "released", state_since: now, released_at: now, is_caller_id: false, note })
    .where("state", "=", "owned")
    .execute();
  await moveCallerId(tx, order);
}

/** False if there is nothing to dismiss. */
export async function dismiss(tx: Tx, { organisationId, id }: Key): Promise<boolean> {
  const refused = await tx
    .deleteFrom("phone_numbers")
    .where("organisation_id", "=", organisationId)
    .where("id", "=", id)
    .where("state", "=", "refused")
    .executeTakeFirst();
  if (refused.numDeletedRows > 0n) return true;
  const noted = await change(tx, { organisationId, id })
    .set({ note: null })
    .where("note", "is not", null)
    .where("state", "<>", "buying")
    .executeTakeFirst();
  return noted.numUpdatedRows > 0n;
}

/** Stores a number that the account already has. Undefined if an organisation on this server has it. Lock first. */
export async function insertFound(
  tx: Tx,
  found: Key & {
    number: string;
    carrier: string;
    isOfSandbox: boolean;
    accountId: string;
    connectionId: string;
    monthlyCostMicros: number | null;
    note: string | null;
  },
): Promise<NumberOrder | undefined> {
  const row = await tx
    .insertInto("phone_numbers")
    .values({
      id: found.id,
      organisation_id: found.organisationId,
      number: found.number,
      carrier: found.carrier,
      of_sandbox: found.isOfSandbox,
      account_id: found.accountId,
      connection_id: found.connectionId,
      state: "owned",
      acquired_at: now,
      // Bought before, on a day that isn't known: its fees count from the next month.
      paid_periods: 1,
      monthly_cost: found.monthlyCostMicros,
      is_caller_id: !(await hasCallerId(tx, found)),
      note: found.note,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst();
  return row && toOrder(row);
}

/** When the account is removed: its numbers stay at the vendor, and are deleted here. Lock first. */
export async function leaveAccount(
  tx: Tx,
  { organisationId, accountId }: { organisationId: string; accountId: string },
): Promise<void> {
  await tx
    .deleteFrom("phone_numbers")
    .where("organisation_id", "=", organisationId)
    .where("account_id", "=", accountId)
    .where("state", "in", ["buying", "refused"])
    .execute();
  await tx
    .updateTable("phone_numbers")
    .set({ state: "released", state_since: now, released_at: now, is_caller_id: false, note: null })
    .where("organisation_id", "=", organisationId)
    .where("account_id", "=", accountId)
    .where("state", "in", ["owned", "releasing"])
    .execute();
}
