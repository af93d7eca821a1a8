import type { Tx } from "../../../db/transaction.ts";
import type { CallDeps } from "../call-deps.ts";
import { publishCalls } from "../publish-calls.ts";
import { changeReason } from "./call-log.table.ts";

/** Tells every tab of a call that has ended: what is told with it, and stands elsewhere, has changed. */
export async function publishEndedCall(deps: Pick<CallDeps, "carriers">, tx: Tx, callSid: string): Promise<void> {
  const stored = await changeReason(tx, callSid, undefined);
  if (stored) await publishCalls(deps, tx, [stored]);
}
