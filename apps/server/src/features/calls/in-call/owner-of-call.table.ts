import type { Tx } from "../../../db/transaction.ts";

/** The process that carries a live call of the organisation's, or of the person's; null where there is none. */
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

/** The process that carries the live calls on the person's lines, or, where it is named, those of this connection of theirs. */
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
