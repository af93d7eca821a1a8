import type { Tx } from "../../db/transaction.ts";

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
  if (Object.keys(set).length > 0) await tx.updateTable("calls").set(set).where("call_sid", "=", callSid).execute();
}
