import { liveStatuses } from "@leadline/contract/call-state";
import { sql } from "kysely";
import type { Tx } from "../../db/transaction.ts";

/** Whether the person is in a call. One that continues without them doesn't count. */
export async function isOnLine(tx: Tx, userId: string): Promise<boolean> {
  const row = await tx
    .selectFrom("calls")
    .select("call_sid")
    .where("user_id", "=", userId)
    .where("line", "is not", null)
    .where("status", "in", liveStatuses)
    .executeTakeFirst();
  return row !== undefined;
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

/** Whether any member of the organisation is on a call or has one ringing. */
export async function hasLiveCallOf(tx: Tx, organisationId: string): Promise<boolean> {
  const row = await tx
    .selectFrom("calls")
    .select("call_sid")
    .where("organisation_id", "=", organisationId)
    .where("status", "in", liveStatuses)
    .executeTakeFirst();
  return row !== undefined;
}
