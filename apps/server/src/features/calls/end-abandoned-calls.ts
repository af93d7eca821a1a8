import { publishLiveEvent } from "../live-events/publish-live-event.ts";
import { toCall, type CallDeps } from "./call-deps.ts";
import { endAbandonedCall, listLiveCalls } from "./calls.table.ts";

/** At start: the calls that a killed process left live are over, for their sound went through it. */
export async function endAbandonedCalls(deps: Pick<CallDeps, "database" | "carriers" | "log">): Promise<void> {
  await deps.database.withTransaction({ system: "end calls of a killed process" }, async (tx) => {
    for (const { callSid, organisationId } of await listLiveCalls(tx)) {
      const ended = await endAbandonedCall(tx, callSid);
      if (!ended) continue;
      deps.log.warn({ callSid }, "call ended by a restart");
      await publishLiveEvent(tx, { organisationId, type: "call.updated", data: toCall(deps.carriers, ended) });
    }
  });
}
