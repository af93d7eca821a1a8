import { sql } from "kysely";
import type { Tx } from "../../db/transaction.ts";
import type { CutOff, RunningCall } from "./in-call/cut-offs.ts";

export type RunningCallRow = RunningCall & { cutOff: CutOff | null };

/** The organisation's answered calls that live, whichever process carries them. */
export async function selectRunningCalls(tx: Tx, organisationId: string): Promise<RunningCallRow[]> {
  const msUntil = (moment: string) =>
    sql<number>`(extract(epoch from ${sql.ref(moment)} - clock_timestamp()) * 1000)::float8`;
  const rows = await tx
    .selectFrom("calls")
    .select(["call_sid", "price_per_minute_micros", "cut_off_reason"])
    .select([msUntil("answered_at").as("until_answer"), msUntil("cut_off_at").as("until_cut_off")])
    .where("organisation_id", "=", organisationId)
    .where("ended_at", "is", null)
    .where("answered_at", "is not", null)
    .execute();
  return rows.map((row) => ({
    callSid: row.call_sid,
    elapsedMs: Math.max(0, -row.until_answer),
    pricePerMinuteMicros: row.price_per_minute_micros,
    cutOff: row.cut_off_reason === null ? null : { inMs: row.until_cut_off, reason: row.cut_off_reason },
  }));
}
