import { listLivingProcesses } from "../../../db/mark-process-alive.ts";
import type { CallDeps } from "../call-deps.ts";
import { listAbandonedCalls } from "./abandoned-calls.table.ts";
import { endStrandedCall } from "./end-stranded-call.ts";

type Deps = Pick<CallDeps, "database" | "carriers" | "liveCalls" | "ringingCalls" | "processKey" | "log">;

/**
 * Ends the live rows that no living process carries: those of killed processes, and rows of this one that it does not know.
 * `trustClock`: also those of processes that hold their mark but have long not said that the call lives, as a host that
 * vanished does until its connection times out. Not right after the database was away, when nobody could say so.
 */
export async function endAbandonedCalls(deps: Deps, options: { trustClock: boolean }): Promise<void> {
  const abandoned = await deps.database.withTransaction({ system: "find calls that nobody carries" }, async (tx) =>
    listAbandonedCalls(tx, {
      livingProcesses: await listLivingProcesses(tx),
      processKey: deps.processKey,
      carried: [...deps.liveCalls.all(), ...deps.ringingCalls.all()].map(({ callSid }) => callSid),
      trustClock: options.trustClock,
    }),
  );
  for (const callSid of abandoned) await endStrandedCall(deps, callSid, { reason: "server-restarted" });
}
