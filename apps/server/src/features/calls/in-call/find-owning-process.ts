import { listLivingProcesses } from "../../../db/mark-process-alive.ts";
import type { Tx } from "../../../db/transaction.ts";
import type { Identity, Member } from "../../../http/route.ts";
import { processOfConnection } from "../../media-connections/connection-id.ts";
import { processGone } from "../../processes/run-commands.ts";
import type { CallDeps } from "../call-deps.ts";
import { findProcessOfCall, findProcessOfPerson } from "../running-calls.table.ts";

type Deps = Pick<CallDeps, "database" | "liveCalls" | "ringingCalls" | "connections" | "processKey">;

/**
 * Which process has a call or a browser's audio connection, as what is said to it must reach that one: null where it is this
 * process, or nobody's, and the verb says what is wrong. Nothing is asked of the database about what is here.
 */
export function findOwningProcess({ database, liveCalls, ringingCalls, connections, processKey }: Deps) {
  const elsewhere = async (by: string, find: (tx: Tx) => Promise<number | null>) => {
    const scope = { system: "which process has it; who may use it is decided there", by };
    const { owner, living } = await database.withTransaction(scope, async (tx) => {
      const found = await find(tx);
      const isOther = found !== null && found !== processKey;
      return { owner: isOther ? found : null, living: isOther ? await listLivingProcesses(tx) : [] };
    });
    return owner === null ? null : { owner, lives: living.includes(owner) };
  };
  return {
    /** Rejects where the process that carries the call is not running. */
    async ofCall({ caller, params }: { caller: Member; params: { callSid: string } }): Promise<number | null> {
      const { callSid } = params;
      if (liveCalls.find(callSid) || ringingCalls.find(callSid)) return null;
      const which = { callSid, userId: caller.userId, organisationId: caller.organisation.id };
      const found = await elsewhere(which.organisationId, (tx) => findProcessOfCall(tx, which));
      if (found && !found.lives) throw processGone();
      return found?.owner ?? null;
    },
    /** One whose process has ended is nobody's: a browser opens another. */
    async ofConnection(caller: Identity, mediaConnectionId: string | undefined): Promise<number | null> {
      if (mediaConnectionId === undefined || connections.has(mediaConnectionId)) return null;
      const { userId } = caller;
      // One that another process has taken over with its calls has the name that its former process gave it.
      const found = await elsewhere(
        userId,
        async (tx) =>
          (await findProcessOfPerson(tx, { userId, mediaConnectionId })) ?? processOfConnection(mediaConnectionId),
      );
      return found?.lives ? found.owner : null;
    },
    /** Where a new connection is of use to the calls that the person is in. */
    async ofPerson({ caller: { userId } }: { caller: Identity }): Promise<number | null> {
      if (liveCalls.findOf(userId)) return null;
      const found = await elsewhere(userId, (tx) => findProcessOfPerson(tx, { userId }));
      return found?.lives ? found.owner : null;
    },
  };
}
export type Owners = ReturnType<typeof findOwningProcess>;
