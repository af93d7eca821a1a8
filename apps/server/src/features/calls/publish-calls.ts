import type { Tx } from "../../db/transaction.ts";
import { publishLiveEvent } from "../live-events/publish-live-event.ts";
import { toCall, type CallDeps } from "./call-deps.ts";
import type { StoredCall } from "./calls.table.ts";

/** Sends every tab the calls that one transaction has changed. Call it last, once all of them are. */
export async function publishCalls(
  { carriers }: Pick<CallDeps, "carriers">,
  tx: Tx,
  calls: readonly StoredCall[],
): Promise<void> {
  for (const stored of calls) {
    const { organisationId } = stored;
    await publishLiveEvent(tx, { organisationId, type: "call.updated", data: toCall(carriers, stored) });
  }
}
