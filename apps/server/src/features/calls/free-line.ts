import type { Tx } from "../../db/transaction.ts";
import { publishLiveEvent } from "../live-events/publish-live-event.ts";
import { toCall, type CallDeps } from "./call-deps.ts";
import { findCall, type StoredCall } from "./calls.table.ts";
import { moveToFirstLine } from "./lines-of-people.table.ts";

/** In the transaction that ends a call: the one on its person's second line moves to the first. */
export async function freeLine(
  { carriers }: Pick<CallDeps, "carriers">,
  tx: Tx,
  { userId, organisationId }: StoredCall,
): Promise<void> {
  const moved = userId === null ? null : await moveToFirstLine(tx, userId);
  const stored = moved === null ? null : await findCall(tx, moved);
  if (stored) await publishLiveEvent(tx, { organisationId, type: "call.updated", data: toCall(carriers, stored) });
}
