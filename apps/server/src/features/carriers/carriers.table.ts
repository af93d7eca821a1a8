import type { Tx } from "../../db/transaction.ts";
import type { CarrierIdentity } from "@leadline/adapter-kit/carrier-identity";
import { type ColumnType, type Generated, sql } from "kysely";

export type StoredSettings = Record<string, unknown>;

export interface CarrierTable {
  id: string;
  organisation_id: string;
  kind: string;
  label: string;
  settings: ColumnType<StoredSettings, string, string>;
  in_use: boolean;
  /** Calls go to the carrier in use with the lowest rank first. */
  rank: Generated<number>;
  identity: ColumnType<CarrierIdentity | null, string | null, string | null>;
  /** Percentage added to each of its rates. */
  margin_percent: Generated<number>;
  /** The carrier's limit. Null: none known. */
  calls_per_second: number | null;
  channels: number | null;
  /** Grows with every change of the settings, so that processes that have the carrier open notice. */
  generation: Generated<number>;
  created_at: Generated<string>;
}

export interface CarrierSecretTable {
  carrier_id: string;
  organisation_id: string;
  sealed: string;
}

/** With its encrypted secrets, which are only read this way. */
export interface StoredCarrier {
  id: string;
  organisationId: string;
  kind: string;
  label: string;
  settings: StoredSettings;
  inUse: boolean;
  /** New calls a second, and simultaneous calls. Null: no known limit. */
  callsPerSecond: number | null;
  channels: number | null;
  generation: number;
  createdAt: string;
  sealed: string | null;
}

interface Key {
  organisationId: string;
  carrierId: string;
}

/**
 * Carriers in use first, in their order; then the oldest. In the system scope without an organisation: of all
 * organisations.
 */
export async function selectCarriers(
  tx: Tx,
  which: { organisationId?: string; carrierId?: string; inUse?: true },
): Promise<StoredCarrier[]> {
  const { organisationId, carrierId, inUse } = which;
  const rows = await tx
    .selectFrom("carriers as c")
    .leftJoin("carrier_secrets as s", (join) =>
      join.onRef("s.carrier_id", "=", "c.id").onRef("s.organisation_id", "=", "c.organisation_id"),
    )
    .select([
      "c.id",
      "c.organisation_id",
      "c.kind",
      "c.label",
      "c.settings",
      "c.in_use",
      "c.calls_per_second",
      "c.channels",
      "c.generation",
      "c.created_at",
    ])
    .select("s.sealed")
    .$if(organisationId !== undefined, (query) => query.where("c.organisation_id", "=", organisationId ?? ""))
    .$if(carrierId !== undefined, (query) => query.where("c.id", "=", carrierId ?? ""))
    .$if(inUse === true, (query) => query.where("c.in_use", "=", true))
    .orderBy("c.in_use", "desc")
    .orderBy("c.rank")
    .orderBy("c.created_at")
    .orderBy("c.id")
    .execute();
  return rows.map((row) => ({
    id: row.id,
    organisationId: row.organisation_id,
    kind: row.kind,
    label: row.label,
    settings: row.settings,
    inUse: row.in_use,
    callsPerSecond: row.calls_per_second,
    channels: row.channels,
    generation: row.generation,
    createdAt: row.created_at,
    sealed: row.sealed,
  }));
}

/** Locks the organisation's carriers until the transaction ends. */
export async function lockCarriers(tx: Tx, organisationId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('carriers:' || ${organisationId}, 0))`.execute(tx);
}

export async function insertCarrier(
  tx: Tx,
  carrier: Key & {
    kind: string;
    label: string;
    settings: StoredSettings;
    identity?: CarrierIdentity | null;
    callsPerSecond?: number | null;
    channels?: number | null;
  },
): Promise<void> {
  await tx
    .insertInto("carriers")
    .values({
      id: carrier.carrierId,
      organisation_id: carrier.organisationId,
      kind: carrier.kind,
      label: carrier.label,
      settings: JSON.stringify(carrier.settings),
      identity: carrier.identity ? JSON.stringify(carrier.identity) : null,
      in_use: false,
      calls_per_second: carrier.callsPerSecond ?? null,
      channels: carrier.channels ?? null,
    })
    .execute();
}

export async function changeCarrier(
  tx: Tx,
  key: Key,
  change: {
    label?: string;
    settings?: StoredSettings;
    identity?: CarrierIdentity | null;
    callsPerSecond?: number | null;
    channels?: number | null;
  },
): Promise<void> {
  const { label, settings, identity, callsPerSecond, channels } = change;
  if ([label, settings, callsPerSecond, channels].every((each) => each === undefined)) return;
  await tx
    .updateTable("carriers")
    .set({
      ...(label !== undefined && { label }),
      ...(callsPerSecond !== undefined && { calls_per_second: callsPerSecond }),
      ...(channels !== undefined && { channels }),
      ...(settings !== undefined && { settings: JSON.stringify(settings), generation: sql<number>`generation + 1` }),
      ...(identity && { identity: JSON.stringify(identity) }),
    })
    .where("organisation_id", "=", key.organisationId)
    .where("id", "=", key.carrierId)
    .execute();
}

/** Puts only these in use, in this order. */
export async function useCarriers(tx: Tx, organisationId: string, carrierIds: readonly string[]): Promise<void> {
  await tx
    .updateTable("carriers")
    .set({ in_use: false, rank: 0 })
    .where("organisation_id", "=", organisationId)
    .where("in_use", "=", true)
    .execute();
  for (const [rank, carrierId] of carrierIds.entries())
    await tx
      .updateTable("carriers")
      .set({ in_use: true, rank })
      .where("organisation_id", "=", organisationId)
      .where("id", "=", carrierId)
      .execute();
}

export async function putSecrets(tx: Tx, key: Key, sealed: string): Promise<void> {
  await tx
    .insertInto("carrier_secrets")
    .values({ carrier_id: key.carrierId, organisation_id: key.organisationId, sealed })
    .onConflict((conflict) => conflict.column("carrier_id").doUpdateSet({ sealed }))
    .execute();
}

/** Of all organisations. Needs the system scope. */
export async function selectSecrets(tx: Tx): Promise<{ id: string; organisationId: string; sealed: string }[]> {
  const rows = await tx.selectFrom("carrier_secrets").select(["carrier_id", "organisation_id", "sealed"]).execute();
  return rows.map((row) => ({ id: row.carrier_id, organisationId: row.organisation_id, sealed: row.sealed }));
}

/** Skips secrets that have changed meanwhile. */
export async function replaceSecrets(tx: Tx, secret: { id: string; sealed: string; renewed: string }): Promise<void> {
  await tx
    .updateTable("carrier_secrets")
    .set({ sealed: secret.renewed })
    .where("carrier_id", "=", secret.id)
    .where("sealed", "=", secret.sealed)
    .execute();
}

export async function deleteCarrier(tx: Tx, key: Key): Promise<boolean> {
  const deleted = await tx
    .deleteFrom("carriers")
    .where("organisation_id", "=", key.organisationId)
    .where("id", "=", key.carrierId)
    .executeTakeFirst();
  return deleted.numDeletedRows > 0n;
}

/** Deletes all of them with their secrets; returns their ids. */
export async function deleteCarriers(tx: Tx, organisationId: string): Promise<string[]> {
  const gone = await tx.deleteFrom("carriers").where("organisation_id", "=", organisationId).returning("id").execute();
  return gone.map(({ id }) => id);
}
