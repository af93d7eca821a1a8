import { type Generated, type Selectable, sql } from "kysely";
import { formerMember } from "../../db/person-name.ts";
import type { Tx } from "../../db/transaction.ts";

export interface TopUpTable {
  id: string;
  organisation_id: string;
  provider: string;
  /** Millionths of a US dollar, as in the rest of this file. */
  amount: number;
  description: string;
  return_url: string;
  /** starting: the provider hasn't responded yet. */
  state: Generated<"starting" | "open" | "paid" | "declined" | "expired">;
  checkout_id: string | null;
  checkout_url: string | null;
  paid: Generated<number>;
  refunded: Generated<number>;
  charged_back: Generated<number>;
  method: string | null;
  version: Generated<number>;
  asked_by: string;
  idempotency_key: string;
  request_hash: string;
  saves_method: Generated<boolean>;
  /** The method that an automatic top-up charges. Null: a person pays. */
  saved_method: string | null;
  created_at: Generated<string>;
  paid_at: string | null;
  checked_at: string | null;
}

export interface PaymentReportTable {
  top_up_id: string;
  organisation_id: string;
  event_id: string;
  received_at: Generated<string>;
}

type Row = Selectable<TopUpTable>;

export interface StoredTopUp {
  id: string;
  organisationId: string;
  provider: string;
  amountMicros: number;
  description: string;
  returnUrl: string;
  state: Row["state"];
  checkoutId: string | null;
  checkoutUrl: string | null;
  paidMicros: number;
  refundedMicros: number;
  chargedBackMicros: number;
  method: string | null;
  version: number;
  requestHash: string;
  savesMethod: boolean;
  /** The method that an automatic top-up charges. Null: a person pays. */
  savedMethod: string | null;
  /** Null until it is paid. */
  receiptNumber: number | null;
  userName: string;
  createdAt: string;
  paidAt: string | null;
}

const toTopUp = (row: Row & { userName: string; receiptNumber: number | null }): StoredTopUp => ({
  id: row.id,
  organisationId: row.organisation_id,
  provider: row.provider,
  amountMicros: row.amount,
  description: row.description,
  returnUrl: row.return_url,
  state: row.state,
  checkoutId: row.checkout_id,
  checkoutUrl: row.checkout_url,
  paidMicros: row.paid,
  refundedMicros: row.refunded,
  chargedBackMicros: row.charged_back,
  method: row.method,
  version: row.version,
  requestHash: row.request_hash,
  savesMethod: row.saves_method,
  savedMethod: row.saved_method,
  receiptNumber: row.receiptNumber,
  userName: row.userName,
  createdAt: row.created_at,
  paidAt: row.paid_at,
});

const now = sql<string>`clock_timestamp()`;

const withName = (tx: Tx) =>
  tx
    .selectFrom("top_ups")
    .leftJoin("users", "users.id", "asked_by")
    .leftJoin("receipts", "receipts.top_up_id", "top_ups.id")
    .selectAll("top_ups")
    .select("receipts.number as receiptNumber")
    .select(sql<string>`coalesce(trim(first_name || ' ' || last_name), ${formerMember})`.as("userName"));

export interface TopUpKey {
  organisationId: string;
  id: string;
}

export async function findTopUp(tx: Tx, { organisationId, id }: TopUpKey): Promise<StoredTopUp | undefined> {
  const row = await withName(tx)
    .where("top_ups.organisation_id", "=", organisationId)
    .where("top_ups.id", "=", id)
    .executeTakeFirst();
  return row && toTopUp(row);
}

/** The top-up's organisation. Needs the system scope. */
export async function findOrganisationOfTopUp(tx: Tx, id: string): Promise<string | undefined> {
  const row = await tx.selectFrom("top_ups").select("organisation_id").where("id", "=", id).executeTakeFirst();
  return row?.organisation_id;
}

export async function findTopUpByIdempotencyKey(
  tx: Tx,
  which: { organisationId: string; askedBy: string; idempotencyKey: string },
): Promise<StoredTopUp | undefined> {
  const row = await withName(tx)
    .where("top_ups.organisation_id", "=", which.organisationId)
    .where("asked_by", "=", which.askedBy)
    .where("idempotency_key", "=", which.idempotencyKey)
    .executeTakeFirst();
  return row && toTopUp(row);
}

export interface NewTopUp extends TopUpKey {
  provider: string;
  amountMicros: number;
  description: string;
  returnUrl: string;
  askedBy: string;
  idempotencyKey: string;
  requestHash: string;
  savesMethod: boolean;
  savedMethod: string | null;
}

/**
 * Returns false and does nothing if the person has used the key, or it is automatic and another automatic one isn't
 * over.
 */
export async function insertTopUp(tx: Tx, topUp: NewTopUp): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto("top_ups")
    .values({
      id: topUp.id,
      organisation_id: topUp.organisationId,
      provider: topUp.provider,
      amount: topUp.amountMicros,
      description: topUp.description,
      return_url: topUp.returnUrl,
      asked_by: topUp.askedBy,
      idempotency_key: topUp.idempotencyKey,
      request_hash: topUp.requestHash,
      saves_method: topUp.savesMethod,
      saved_method: topUp.savedMethod,
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}

/** Newest first, older than the given top-up. */
export async function selectTopUps(
  tx: Tx,
  organisationId: string,
  page: { before: string | null; limit: number },
): Promise<StoredTopUp[]> {
  const older = sql<boolean>`(top_ups.created_at, top_ups.id) < (
    select created_at, id from top_ups where id = ${page.before} and organisation_id = ${organisationId})`;
  const rows = await withName(tx)
    .where("top_ups.organisation_id", "=", organisationId)
    .$if(page.before !== null, (query) => query.where(older))
    .orderBy("top_ups.created_at", "desc")
    .orderBy("top_ups.id", "desc")
    .limit(page.limit)
    .execute();
  return rows.map(toTopUp);
}

export async function countOpen(tx: Tx, organisationId: string): Promise<number> {
  const { open } = await tx
    .selectFrom("top_ups")
    .select((query) => query.fn.countAll<number>().as("open"))
    .where("organisation_id", "=", organisationId)
    .where("state", "in", ["starting", "open"])
    .executeTakeFirstOrThrow();
  return Number(open);
}

/** Locks starting top-ups of the organisation, so that each counts the others. */
export async function lockTopUps(tx: Tx, organisationId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('top-ups:' || ${organisationId}, 0))`.execute(tx);
}

export async function markStarted(tx: Tx, key: TopUpKey, checkout: { id: string; url: string | null }): Promise<void> {
  await tx
    .updateTable("top_ups")
    .set({ state: "open", checkout_id: checkout.id, checkout_url: checkout.url })
    .where("organisation_id", "=", key.organisationId)
    .where("id", "=", key.id)
    .where("state", "=", "starting")
    .execute();
}

export async function deleteRefusedTopUp(tx: Tx, key: TopUpKey, { olderThanMs = 0 } = {}): Promise<void> {
  await tx
    .deleteFrom("top_ups")
    .where("organisation_id", "=", key.organisationId)
    .where("id", "=", key.id)
    .where("state", "=", "starting")
    .where(sql<boolean>`created_at <= clock_timestamp() - ${olderThanMs} * interval '1 millisecond'`)
    .execute();
}

export interface TopUpChange {
  state: Exclude<Row["state"], "starting">;
  paidMicros: number;
  refundedMicros: number;
  chargedBackMicros: number;
  method: string | null;
}

/** False if the row has changed since it was read. */
export async function changeTopUp(
  tx: Tx,
  { organisationId, id, version }: Pick<StoredTopUp, "organisationId" | "id" | "version">,
  change: TopUpChange,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable("top_ups")
    .set({
      state: change.state,
      paid: change.paidMicros,
      refunded: change.refundedMicros,
      charged_back: change.chargedBackMicros,
      method: change.method,
      version: version + 1,
      ...(change.state === "paid" && { paid_at: sql<string>`coalesce(paid_at, clock_timestamp())` }),
    })
    .where("organisation_id", "=", organisationId)
    .where("id", "=", id)
    .where("version", "=", version)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** False if the report was already applied. */
export async function insertReport(tx: Tx, { organisationId, id }: TopUpKey, eventId: string): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto("payment_reports")
    .values({ top_up_id: id, organisation_id: organisationId, event_id: eventId })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}

/** Returns whether the last check was long enough ago, and records that one is made now. */
export async function claimCheck(tx: Tx, key: TopUpKey, { afterMs }: { afterMs: number }): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable("top_ups")
    .set({ checked_at: now })
    .where("organisation_id", "=", key.organisationId)
    .where("id", "=", key.id)
    .where(sql<boolean>`coalesce(checked_at < clock_timestamp() - ${afterMs} * interval '1 millisecond', true)`)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/**
 * Claims the top-ups of every organisation that are due to be checked with their providers; needs the system scope.
 * Open ones are checked ever less often as they age; paid ones once a day for half a year, in case a refund or a
 * chargeback was never reported.
 */
export async function claimDue(
  tx: Tx,
  { providers, soonMs }: { providers: readonly string[]; soonMs: number },
): Promise<TopUpKey[]> {
  if (providers.length === 0) return [];
  const { rows } = await sql<TopUpKey>`
    update top_ups set checked_at = clock_timestamp()
    where id in (
      select id from top_ups where provider in (${sql.join(providers)}) and state in ('starting', 'open', 'paid')
        and case when state in ('starting', 'open')
            then coalesce(checked_at, created_at) < clock_timestamp()
              - greatest(${soonMs} * interval '1 millisecond', (clock_timestamp() - created_at) / 10)
          else state = 'paid' and coalesce(checked_at, created_at) < clock_timestamp() - interval '1 day'
            and paid_at > clock_timestamp() - interval '180 days' end
      order by checked_at nulls first limit 100 for update skip locked)
    returning id, organisation_id as "organisationId"`.execute(tx);
  return rows;
}
