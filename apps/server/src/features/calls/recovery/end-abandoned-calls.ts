import { listLivingProcesses } from "../../../db/mark-process-alive.ts";
import type { CallDeps } from "../call-deps.ts";
import { listAbandonedCalls } from "../abandoned-calls.table.ts";
import { endStrandedCall } from "../in-call/end-stranded-call.ts";

type Deps = Pick<CallDeps, "database" | "carriers" | "liveCalls" | "ringingCalls" | "processKey" | "log">;

/**
 * Ends live rows that no living process carries: those of killed processes, and rows of this one that it doesn't know.
 * `trustClock` also ends calls of processes that still hold their advisory lock but haven't marked the call alive for
 * long, such as a vanished host whose connection hasn't timed out. Don't set it right after a database outage.
 */
export async function endAbandonedCalls(deps: Deps, options: { trustClock: boolean }): Promise<void> {
  const abandoned = await deps.database.withTransaction({ system: "find calls whose process has ended" }, async (tx) =>
    listAbandonedCalls(tx, {
      livingProcesses: await listLivingProcesses(tx),
      processKey: deps.processKey,
      carried: [...deps.liveCalls.all(), ...deps.ringingCalls.all()].map(({ callSid }) => callSid),
      trustClock: options.trustClock,
    }),
  );
  for (const callSid of abandoned) await endStrandedCall(deps, callSid, { reason: "server-restarted" });
}
