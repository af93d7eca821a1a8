import { listLivingProcesses } from "../../db/mark-process-alive.ts";
import { publishLiveEvent } from "../live-events/publish-live-event.ts";
import { toCall, type CallDeps } from "./call-deps.ts";
import { endAbandonedCall, listAbandonedCalls } from "./calls.table.ts";

/** At start: the calls that killed processes left live are over, for their sound went through them. */
export async function endAbandonedCalls(deps: Pick<CallDeps, "database" | "carriers" | "log">): Promise<void> {
  await deps.database.withTransaction({ system: "end calls of a killed process" }, async (tx) => {
    for (const { callSid, organisationId } of await listAbandonedCalls(tx, await listLivingProcesses(tx))) {
      const ended = await endAbandonedCall(tx, callSid);
      if (!ended) continue;
      deps.log.warn({ callSid }, "call ended by a restart");
      await publishLiveEvent(tx, { organisationId, type: "call.updated", data: toCall(deps.carriers, ended) });
    }
  });
}
