import type { Database } from "../../../db/database.ts";
import type { Log } from "../../../log.ts";
import type { Caller } from "../limits.table.ts";
import { countBreach } from "./breaches.table.ts";
import { LimitBreached } from "./limit-breached.ts";

/** Runs a transaction that refuseOverLimits may roll back, then records the breach. A job emails the owners. */
export async function reportBreaches<T>(
  { database, log }: { database: Pick<Database, "withTransaction">; log: Log },
  { organisationId, userId }: Caller,
  attempt: () => Promise<T>,
): Promise<T> {
  try {
    return await attempt();
  } catch (error) {
    if (error instanceof LimitBreached) {
      const { breach, message: detail } = error;
      const { limit, isMembers } = breach;
      log.warn({ security: "limit-breached", organisationId, userId, limit, isMembers }, "a limit refused a call");
      await database
        .withTransaction({ organisationId, userId }, (tx) =>
          countBreach(tx, { organisationId, userId }, { ...breach, detail }),
        )
        .catch((failure: unknown) =>
          log.error({ err: failure, organisationId, limit }, "a breach could not be recorded"),
        );
    }
    throw error;
  }
}
