import { liveStatuses } from "@leadline/contract/call-state";
import type { CallRate } from "@leadline/contract/rates";
import { costUntilNow } from "../../db/cost-of-call.ts";
import type { Tx } from "../../db/transaction.ts";
import type { CutOff, RunningCall } from "./in-call/cut-offs.ts";
import { sql } from "kysely";

export type RunningCallRow = RunningCall & { cutOff: CutOff | null };

/** The organisation's answered live calls, in any process. */
export async function selectRunningCalls(tx: Tx, organisationId: string): Promise<RunningCallRow[]> {
  const msUntil = (moment: string) =>
    sql<number>`(extract(epoch from ${sql.ref(moment)} - clock_timestamp()) * 1000)::float8`;
  const rows = await tx
    .selectFrom("calls")
    .leftJoin("ledger_holds as hold", (join) =>
      join
        .onRef("hold.organisation_id", "=", "calls.organisation_id")
        .on("hold.key", "=", sql<string>`'call:' || calls.call_sid`)
        .on("hold.state", "=", "open"),
    )
    .select(["call_sid", "user_id", "rate", "cut_off_reason", "hold.amount as held"])
    .select([msUntil("answered_at").as("until_answer"), msUntil("cut_off_at").as("until_cut_off")])
    .where("calls.organisation_id", "=", organisationId)
    .where("ended_at", "is", null)
    .where("answered_at", "is not", null)
    .execute();
  return rows.map((row) => ({
    callSid: row.call_sid,
    userId: row.user_id,
    elapsedMs: Math.max(0, -row.until_answer),
    rate: row.rate,
    heldMicros: row.held,
    cutOff: row.cut_off_reason === null ? null : { inMs: row.until_cut_off, reason: row.cut_off_reason },
  }));
}

/**
 * What is left of the balance for stretches that have not begun: less the cost of answered calls so far, and less the
 * holds of other calls.
 */
export async function selectFunds(tx: Tx, organisationId: string): Promise<number> {
  const { rows } = await sql<{ left: number }>`
    select own.balance - coalesce((
      select sum(case when calls.answered_at is not null and calls.ended_at is null then ${costUntilNow} else h.amount end)
      from ledger_holds h
      left join calls on calls.organisation_id = h.organisation_id and calls.call_sid = substr(h.key, length('call:') + 1)
      where h.organisation_id = ${organisationId} and h.state = 'open'), 0)::bigint as left
    from ledger_accounts own where own.organisation_id = ${organisationId} and own.account = 'balance'`.execute(tx);
  return rows[0]?.left ?? 0;
}

/** The organisation's own carrier of a call. Null: the installation's. */
export async function findConnectionOfCall(tx: Tx, callSid: string): Promise<{ id: string } | null> {
  const row = await tx
    .selectFrom("calls")
    .select("carrier_connection_id as id")
    .where("call_sid", "=", callSid)
    .executeTakeFirst();
  return row === undefined || row.id === null ? null : { id: row.id };
}

/** What the carrier bills for the call, as far as is known. An inbound call has no rate. */
export async function findRateOfCall(
  tx: Tx,
  callSid: string,
): Promise<{ connection: { id: string } | null; rate: CallRate | null }> {
  const row = await tx
    .selectFrom("calls")
    .select(["carrier_connection_id as id", "rate"])
    .where("call_sid", "=", callSid)
    .executeTakeFirst();
  return { connection: row?.id ? { id: row.id } : null, rate: row?.rate ?? null };
}

/** Locks the call's row until the transaction ends, after waiting for other transactions that write it. */
export async function lockCall(tx: Tx, callSid: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('call:' || ${callSid}, 0))`.execute(tx);
}

/** The process that carries a live call of the organisation or the person. Null if there is none. */
export async function findProcessOfCall(
  tx: Tx,
  which: { callSid: string; userId: string; organisationId: string },
): Promise<number | null> {
  const row = await tx
    .selectFrom("calls")
    .select("process_key")
    .where("call_sid", "=", which.callSid)
    .where("ended_at", "is", null)
    .where((call) => call.or([call("user_id", "=", which.userId), call("organisation_id", "=", which.organisationId)]))
    .executeTakeFirst();
  return row?.process_key ?? null;
}

/** The process that carries the person's live calls or, if a connection is named, the calls on that connection. */
export async function findProcessOfPerson(
  tx: Tx,
  { userId, mediaConnectionId }: { userId: string; mediaConnectionId?: string },
): Promise<number | null> {
  const row = await tx
    .selectFrom("calls")
    .select("process_key")
    .where("user_id", "=", userId)
    .where("line", "is not", null)
    .where("ended_at", "is", null)
    .$if(mediaConnectionId !== undefined, (calls) => calls.where("media_connection_id", "=", mediaConnectionId ?? null))
    .executeTakeFirst();
  return row?.process_key ?? null;
}

/** The organisation's people who are in a call. */
export async function peopleOnLine(tx: Tx, organisationId: string): Promise<Set<string>> {
  const rows = await tx
    .selectFrom("calls")
    .select("user_id")
    .where("organisation_id", "=", organisationId)
    .where("line", "is not", null)
    .where("status", "in", liveStatuses)
    .execute();
  return new Set(rows.flatMap(({ user_id }) => (user_id === null ? [] : [user_id])));
}

/** Moves the call on the second line to the first once the call there has ended. Returns its callSid. */
export async function moveToFirstLine(tx: Tx, userId: string): Promise<string | null> {
  const moved = await tx
    .updateTable("calls")
    .set({ line: 1, revision: sql<number>`revision + 1` })
    .where("user_id", "=", userId)
    .where("line", "=", 2)
    .where("ended_at", "is", null)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("calls as first")
            .select("first.call_sid")
            .where("first.user_id", "=", userId)
            .where("first.line", "=", 1)
            .where("first.ended_at", "is", null),
        ),
      ),
    )
    .returning("call_sid")
    .executeTakeFirst();
  return moved?.call_sid ?? null;
}
