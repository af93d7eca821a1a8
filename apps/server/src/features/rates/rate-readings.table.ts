import { type Generated, sql } from "kysely";
import type { Tx } from "../../db/transaction.ts";

export interface CarrierRateReadingTable {
  organisation_id: string;
  carrier_id: string;
  /** A country (ISO 3166-1), or a number's first digits. */
  area: string;
  read_at: Generated<string>;
}

interface Carrier {
  organisationId: string;
  carrierId: string;
}

/** How long ago the carrier's API was last asked about one of these areas. Null if never. */
export async function findReading(
  tx: Tx,
  { organisationId, carrierId }: Carrier,
  areas: readonly string[],
): Promise<number | null> {
  const row = await tx
    .selectFrom("carrier_rate_readings")
    .select(sql<number | null>`extract(epoch from clock_timestamp() - max(read_at))::float8`.as("secondsAgo"))
    .where("organisation_id", "=", organisationId)
    .where("carrier_id", "=", carrierId)
    .where("area", "in", areas)
    .executeTakeFirstOrThrow();
  return row.secondsAgo;
}

/** Forgets the carrier's readings of more than a month ago. */
export async function writeReading(tx: Tx, { organisationId, carrierId }: Carrier, area: string): Promise<void> {
  await tx
    .insertInto("carrier_rate_readings")
    .values({ organisation_id: organisationId, carrier_id: carrierId, area })
    .onConflict((conflict) =>
      conflict.columns(["carrier_id", "area"]).doUpdateSet({ read_at: sql<string>`clock_timestamp()` }),
    )
    .execute();
  await tx
    .deleteFrom("carrier_rate_readings")
    .where("organisation_id", "=", organisationId)
    .where("carrier_id", "=", carrierId)
    .where("read_at", "<", sql<string>`clock_timestamp() - interval '30 days'`)
    .execute();
}

/** So that the API is asked again about a rate that a person removes. */
export async function forgetReadings(
  tx: Tx,
  { organisationId, rateId }: { organisationId: string; rateId: string },
): Promise<void> {
  await tx
    .deleteFrom("carrier_rate_readings")
    .where("organisation_id", "=", organisationId)
    .where("carrier_id", "=", (rate) =>
      rate
        .selectFrom("carrier_rates")
        .select("carrier_id")
        .where("organisation_id", "=", organisationId)
        .where("id", "=", rateId),
    )
    .execute();
}
