import { sql } from "kysely";
import type { Tx } from "../../../db/transaction.ts";

/** What its people say about a call; unlike a CallChange it may come at any time. */
interface CallDisposition {
  note?: string | undefined;
  outcomeId?: string | null | undefined;
}

export async function disposeCall(tx: Tx, callSid: string, disposition: CallDisposition): Promise<void> {
  const { note, outcomeId } = disposition;
  const set = {
    ...(note !== undefined && { note }),
    ...(outcomeId !== undefined && { outcome_id: outcomeId }),
  };
  // Raised even where only the day to call back changes, which stands elsewhere: what tabs show of the call is news.
  await tx
    .updateTable("calls")
    .set({ ...set, revision: sql<number>`revision + 1` })
    .where("call_sid", "=", callSid)
    .execute();
}
