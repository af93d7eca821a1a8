import { sql, type Generated, type Selectable } from "kysely";
import type { Tx } from "../../db/transaction.ts";

export interface PhoneNumberTable {
  id: string;
  organisation_id: string;
  /** E.164. */
  number: string;
  carrier: string;
  /** buying → owned → releasing → released. A purchase that the carrier turns down leaves no row. */
  state: "buying" | "owned" | "releasing" | "released";
  label: string | null;
  is_caller_id: Generated<boolean>;
  /** Millionths of a US dollar; known once it is owned. */
  monthly_cost: number | null;
  ordered_by: string;
  state_since: Generated<string>;
  acquired_at: string | null;
  /** When the organisation gave it back. */
  released_at: string | null;
  idempotency_key: string | null;
  request_hash: string | null;
}

type Row = Selectable<PhoneNumberTable>;

const now = sql<string>`clock_timestamp()`;

/** An order as the table knows it, from the wish to the return. */
export interface NumberOrder {
  id: string;
  organisationId: string;
  number: string;
  carrier: string;
  state: Row["state"];
  label: string | null;
  isCallerId: boolean;
  monthlyCostMicros: number | null;
  acquiredAt: string | null;
  requestHash: string | null;
}

const toOrder = (row: Row): NumberOrder => ({
  id: row.id,
  organisationId: row.organisation_id,
  number: row.number,
  carrier: row.carrier,
  state: row.state,
  label: row.label,
  isCallerId: row.is_caller_id,
  monthlyCostMicros: row.monthly_cost,
  acquiredAt: row.acquired_at,
  requestHash: row.request_hash,
});

export interface NewOrder {
  id: string;
  organisationId: string;
  number: string;
  carrier: string;
  orderedBy: string;
  idempotencyKey: string | null;
  requestHash: string | null;
}

/** False where somebody holds or is buying the number, or the idempotency key is taken: which of the two, the caller looks up. */
export async function insertOrder(tx: Tx, order: NewOrder): Promise<boolean> {
  const inserted = await tx
    .insertInto("phone_numbers")
    .values({
      id: order.id,
      organisation_id: order.organisationId,
      number: order.number,
      carrier: order.carrier,
      state: "buying",
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

/** Who of all organisations holds, or is buying, which of the numbers; needs the system scope. */
export async function selectHolders(
  tx: Tx,
  numbers: readonly string[],
): Promise<{ number: string; organisationId: string }[]> {
  if (numbers.length === 0) return [];
  return tx
    .selectFrom("phone_numbers")
    .select(["number", "organisation_id as organisationId"])
    .where("number", "in", numbers)
    .where("state", "in", ["buying", "owned", "releasing"])
    .execute();
}

/** The same for a transaction of an organisation's, from which row-level security hides the others. */
export async function selectHoldersForOthers(tx: Tx, numbers: readonly string[]): ReturnType<typeof selectHolders> {
  await sql`select set_config('app.scope', 'system', true)`.execute(tx);
  const holders = await selectHolders(tx, numbers);
  await sql`select set_config('app.scope', '', true)`.execute(tx);
  return holders;
}

/** Purchases and returns of every organisation that began so long ago and have no end yet; needs the system scope. */
export async function selectUnsettled(tx: Tx, { olderThanMs }: { olderThanMs: number }): Promise<NumberOrder[]> {
  const rows = await tx
    .selectFrom("phone_numbers")
    .selectAll()
    .where("state", "in", ["buying", "releasing"])
    .where("state_since", "<=", sql<string>`clock_timestamp() - ${olderThanMs} * interval '1 millisecond'`)
    .orderBy("state_since")
    .limit(100)
    .execute();
  return rows.map(toOrder);
}

/** Takes turns with whoever else changes what the organisation owns, so that each sees which number is the caller ID. */
export async function lockNumbers(tx: Tx, organisationId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('phone-numbers:' || ${organisationId}, 0))`.execute(tx);
}

/** Those that are not given back and taken: of them `owned` are the organisation's. */
export async function countNumbers(tx: Tx, organisationId: string): Promise<{ owned: number; unsettled: number }> {
  const states = await tx
    .selectFrom("phone_numbers")
    .select("state")
    .where("organisation_id", "=", organisationId)
    .where("state", "<>", "released")
    .execute();
  const owned = states.filter(({ state }) => state === "owned").length;
  return { owned, unsettled: states.length - owned };
}

/** Makes a purchase the organisation's, and its first number the caller ID. Undefined where it is settled already. Lock first. */
export async function markOwned(
  tx: Tx,
  which: { organisationId: string; id: string; monthlyCostMicros: number },
): Promise<NumberOrder | undefined> {
  const hasCallerId = await inOrganisation(tx, which.organisationId)
    .where("is_caller_id", "=", true)
    .executeTakeFirst();
  const row = await tx
    .updateTable("phone_numbers")
    .set({
      state: "owned",
      state_since: now,
      acquired_at: now,
      monthly_cost: which.monthlyCostMicros,
      is_caller_id: hasCallerId === undefined,
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

/** From here on it is not the organisation's any more; the oldest of the rest becomes the caller ID where it was it. Lock first. */
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
  const rest = await selectOwned(tx, which.organisationId);
  const oldest = rest.at(-1);
  if (oldest && !rest.some(({ isCallerId }) => isCallerId))
    await makeCallerId(tx, { organisationId: which.organisationId, id: oldest.id });
  return toOrder(row);
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

/** Lock first. */
export async function makeCallerId(tx: Tx, which: { organisationId: string; id: string }): Promise<void> {
  const set = (isCallerId: boolean) =>
    tx
      .updateTable("phone_numbers")
      .set({ is_caller_id: isCallerId })
      .where("organisation_id", "=", which.organisationId);
  await set(false).where("is_caller_id", "=", true).execute();
  await set(true).where("id", "=", which.id).where("state", "=", "owned").execute();
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

export async function findCallerIdOf(
  tx: Tx,
  which: { organisationId: string; carrier: string },
): Promise<string | undefined> {
  const row = await tx
    .selectFrom("phone_numbers")
    .select("number")
    .where("organisation_id", "=", which.organisationId)
    .where("carrier", "=", which.carrier)
    .where("is_caller_id", "=", true)
    .executeTakeFirst();
  return row?.number;
}
