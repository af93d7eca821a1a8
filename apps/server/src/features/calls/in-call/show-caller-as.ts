import { liveStatuses } from "@leadline/contract/call-state";
import type { CallDeps } from "../call-deps.ts";
import { changeCall } from "../calls.table.ts";
import type { LiveCall } from "../live-calls.ts";
import { publishCalls } from "../publish-calls.ts";
import { retryWrite } from "../retry-write.ts";

/** Changes the caller that a teammate called on the second line sees; nothing if nobody was. */
export function showCallerAs(
  deps: CallDeps,
  { organisationId, userId, teammateEntry }: LiveCall,
  as: "alone" | "transferred",
): void {
  if (!teammateEntry) return;
  const { callSid, [as]: callerId } = teammateEntry;
  const write = () =>
    deps.database.withTransaction({ organisationId, userId }, async (tx) => {
      const stored = await changeCall(tx, callSid, liveStatuses, { callerId });
      if (stored) await publishCalls(deps, tx, [stored]);
    });
  void retryWrite(deps.log, callSid, write);
}
