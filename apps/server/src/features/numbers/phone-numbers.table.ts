import type { NumberType } from "@leadline/adapter-kit/provisioner";
import { sql, type Generated, type Selectable } from "kysely";
import type { Tx } from "../../db/transaction.ts";
import { hasCallerId, moveCallerId } from "./caller-ids-of-numbers.table.ts";

export interface PhoneNumberTable {
  id: string;
  organisation_id: string;
  /** E.164. */
  number: string;
  carrier: string;
  /** Bought in a sandbox, which sells anyone numbers that may be a stranger's. */
  of_sandbox: Generated<boolean>;
  /** The account that holds it, and the carrier for its calls; null for the installation's carrier. */
  account_id: string | null;
  connection_id: string | null;
  country_code: string | null;
  /** As its vendor listed it. Null: it wasn't asked. */
  number_type: NumberType | null;
  /**
   * buying → owned → releasing → released. A purchase that is refused at once leaves no row; an account's that is
   * refused later becomes `refused`, which its admin dismisses.
   */
  state: "buying" | "owned" | "releasing" | "released" | "refused";
  /** The order's state, why it was refused, or what changed at the vendor. */
  note: string | null;
  label: string | null;
  is_caller_id: Generated<boolean>;
  /** Millionths of a US dollar. Known once the number is owned, except for one found in an account. */
  monthly_cost: number | null;
  /** Paid once, with the first month. */
  upfront_cost: number | null;
  /** Null for a number found in an account. */
  ordered_by: string | null;
  state_since: Generated<string>;
  /** When its carrier was last asked to finish the order. */
  asked_at: string | null;
  /** At another trunk of its account, or none. */
  rings_elsewhere: Generated<boolean>;
  acquired_at: string | null;
  /** When the organisation released it. */
  released_at: string | null;
  idempotency_key: string | null;
  request_hash: string | null;
  /** Months since the purchase that were paid or free. */
  paid_periods: Generated<number>;
  unpaid_since: string | null;
  noticed_period: number | null;
}

type Row = Selectable<PhoneNumberTable>;

const now = sql<string>`clock_timestamp()`;

/** An order as stored, from the purchase to the release. */
export interface NumberOrder {
  id: string;
  organisationId: string;
  number: string;
  carrier: string;
  accountId: string | null;
  countryCode: string | null;
  numberType: NumberType | null;
  state: Row["state"];
  note: string | null;
  ringsElsewhere: boolean;
  label: string | null;
  isCallerId: boolean;
  monthlyCostMicros: number | null;
  upfrontCostMicros: number | null;
  stateSince: string;
  acquiredAt: string | null;
  requestHash: string | null;
}

export const toOrder = (row: Row): NumberOrder => ({
  id: row.id,
  organisationId: row.organisation_id,
  number: row.number,
  carrier: row.carrier,
  accountId: row.account_id,
  countryCode: row.country_code,
  numberType: row.number_type,
  state: row.state,
  note: row.note,
  ringsElsewhere: row.rings_elsewhere,
  label: row.label,
  isCallerId: row.is_caller_id,
  monthlyCostMicros: row.monthly_cost,
  upfrontCostMicros: row.upfront_cost,
  stateSince: row.state_since,
  acquiredAt: row.acquired_at,
  requestHash: row.request_hash,
});

interface OrderAtAccount {
  id: string;
  connectionId: string;
  countryCode: string;
  type: NumberType;
  monthlyCostMicros: number;
  upfrontCostMicros: number;
}

export interface NewOrder {
  id: string;
  organisationId: string;
  number: string;
  carrier: string;
  /** Omitted for the installation's carrier. */
  ofAccount?: OrderAtAccount;
  isOfSandbox: boolean;
  orderedBy: string;
  idempotencyKey: string | null;
  requestHash: string | null;
}

/** False if somebody has or is buying the number, or the idempotency key is taken. The caller finds out which. */
export async function insertOrder(tx: Tx, order: NewOrder): Promise<boolean> {
  const inserted = await tx
    .insertInto("phone_numbers")
    .values({
      id: order.id,
      organisation_id: order.organisationId,
      number: order.number,
      carrier: order.carrier,
      of_sandbox: order.isOfSandbox,
      state: "buying",
      account_id: order.ofAccount?.id ?? null,
      connection_id: order.ofAccount?.connectionId ?? null,
      country_code: order.ofAccount?.countryCode ?? null,
      number_type: order.ofAccount?.type ?? null,
      monthly_cost: order.ofAccount?.monthlyCostMicros ?? null,
      upfront_cost: order.ofAccount?.upfrontCostMicros ?? null,
      ordered_by: order.orderedBy,
      idempotency_key: order.idempotencyKey,
      request_hash: order.requestHash,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning("id")
    .executeTakeFirst();
  return inserted !== undefined;
}

const inOrganisation = (tx: Tx, organisationId: string) =>
  tx.selectFrom("phone_numbers").selectAll().where("organisation_id", "=", organisationId);

export async function findOrder(
  tx: Tx,
  which: { organisationId: string; id: string },
): Promise<NumberOrder | undefined> {
  const row = await inOrganisation(tx, which.organisationId).where("id", "=", which.id).executeTakeFirst();
  return row && toOrder(row);
}

export async function findOrderByIdempotencyKey(
  tx: Tx,
  which: { organisationId: string; orderedBy: string; idempotencyKey: string },
): Promise<NumberOrder | undefined> {
  const row = await inOrganisation(tx, which.organisationId)
    .where("ordered_by", "=", which.orderedBy)
    .where("idempotency_key", "=", which.idempotencyKey)
    .executeTakeFirst();
  return row && toOrder(row);
}

/** Newest first. */
export async function selectOwned(tx: Tx, organisationId: string): Promise<NumberOrder[]> {
  const rows = await inOrganisation(tx, organisationId)
    .where("state", "=", "owned")
    .orderBy("acquired_at", "desc")
    .orderBy("id")
    .execute();
  return rows.map(toOrder);
}

/** Locks the organisation's numbers, so that each change sees the current caller ID. */
export async function lockNumbers(tx: Tx, organisationId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('phone-numbers:' || ${organisationId}, 0))`.execute(tx);
}

/** Counts numbers that aren't released. `owned` are fully bought. Refused ones count as neither. */
export async function countNumbers(tx: Tx, organisationId: string): Promise<{ owned: number; unsettled: number }> {
  const states = await tx
    .selectFrom("phone_numbers")
    .select("state")
    .where("organisation_id", "=", organisationId)
    .where("state", "in", ["buying", "owned", "releasing"])
    .execute();
  const owned = states.filter(({ state }) => state === "owned").length;
  return { owned, unsettled: states.length - owned };
}

/** Purchases of the last 24 hours, including those that were released since. */
export async function countBoughtToday(tx: Tx, organisationId: string): Promise<number> {
  const { bought } = await tx
    .selectFrom("phone_numbers")
    .select((query) => query.fn.countAll<number>().as("bought"))
    .where("organisation_id", "=", organisationId)
    .where("ordered_by", "is not", null)
    .where(sql<boolean>`coalesce(acquired_at, state_since) > clock_timestamp() - interval '24 hours'`)
    .executeTakeFirstOrThrow();
  return Number(bought);
}

/**
 * Completes a purchase, and makes the first number at its carrier the caller ID there. Undefined if it is already
 * settled. `monthlyCostMicros`: null keeps the order's. Lock first.
 */
export async function markOwned(
  tx: Tx,
  which: { organisationId: string; id: string; accountId: string | null; monthlyCostMicros: number | null },
): Promise<NumberOrder | undefined> {
  const row = await tx
    .updateTable("phone_numbers")
    .set({
      state: "owned",
      state_since: now,
      acquired_at: now,
      paid_periods: 1,
      note: null,
      ...(which.monthlyCostMicros !== null && { monthly_cost: which.monthlyCostMicros }),
      is_caller_id: !(await hasCallerId(tx, which)),
    })
    .where("organisation_id", "=", which.organisationId)
    .where("id", "=", which.id)
    .where("state", "=", "buying")
    .returningAll()
    .executeTakeFirst();
  return row && toOrder(row);
}

export async function deleteRefused(tx: Tx, which: { organisationId: string; id: string }): Promise<void> {
  await tx
    .deleteFrom("phone_numbers")
    .where("organisation_id", "=", which.organisationId)
    .where("id", "=", which.id)
    .where("state", "=", "buying")
    .execute();
}

/**
 * From here on the number is no longer the organisation's. If it was the caller ID, the oldest of the rest becomes it.
 * Lock first.
 */
export async function markReleasing(
  tx: Tx,
  which: { organisationId: string; id: string },
): Promise<NumberOrder | undefined> {
  const row = await tx
    .updateTable("phone_numbers")
    .set({ state: "releasing", state_since: now, released_at: now, is_caller_id: false })
    .where("organisation_id", "=", which.organisationId)
    .where("id", "=", which.id)
    .where("state", "=", "owned")
    .returningAll()
    .executeTakeFirst();
  if (!row) return undefined;
  await moveCallerId(tx, { organisationId: which.organisationId, accountId: row.account_id });
  return toOrder(row);
}

/** The vendor refused the release: the organisation still owns it. Lock first. */
export async function unmarkReleasing(tx: Tx, order: NumberOrder): Promise<void> {
  await tx
    .updateTable("phone_numbers")
    .set({ state: "owned", state_since: now, released_at: null, is_caller_id: !(await hasCallerId(tx, order)) })
    .where("organisation_id", "=", order.organisationId)
    .where("id", "=", order.id)
    .where("state", "=", "releasing")
    .execute();
}

export async function markReleased(tx: Tx, which: { organisationId: string; id: string }): Promise<void> {
  await tx
    .updateTable("phone_numbers")
    .set({ state: "released", state_since: now })
    .where("organisation_id", "=", which.organisationId)
    .where("id", "=", which.id)
    .where("state", "=", "releasing")
    .execute();
}

export async function setLabel(
  tx: Tx,
  which: { organisationId: string; id: string; label: string | null },
): Promise<void> {
  await tx
    .updateTable("phone_numbers")
    .set({ label: which.label })
    .where("organisation_id", "=", which.organisationId)
    .where("id", "=", which.id)
    .execute();
}
