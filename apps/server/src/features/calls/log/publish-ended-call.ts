import type { Tx } from "../../../db/transaction.ts";
import type { CallDeps } from "../call-deps.ts";
import { publishCalls } from "../publish-calls.ts";
import { changeReason } from "./call-log.table.ts";

/** Sends an ended call to every tab again, because data shown with it has changed in another table. */
export async function publishEndedCall(deps: Pick<CallDeps, "carriers">, tx: Tx, callSid: string): Promise<void> {
  const stored = await changeReason(tx, callSid, undefined);
  if (stored) await publishCalls(deps, tx, [stored]);
}
