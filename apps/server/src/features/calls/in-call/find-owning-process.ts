import { listLivingProcesses } from "../../../db/mark-process-alive.ts";
import type { Tx } from "../../../db/transaction.ts";
import type { Identity, Member } from "../../../http/route.ts";
import { processOfConnection } from "../../media-connections/connection-id.ts";
import { processGone } from "../../processes/run-commands.ts";
import type { CallDeps } from "../call-deps.ts";
import { findProcessOfCall, findProcessOfPerson } from "../running-calls.table.ts";

type Deps = Pick<CallDeps, "database" | "liveCalls" | "ringingCalls" | "connections" | "processKey">;

/**
 * Finds the process that owns a call or a browser's audio connection, so that the request can be forwarded to it.
 * Returns null if it is this process or none, and the verb then reports the problem. State in this process needs no
 * query.
 */
export function findOwningProcess({ database, liveCalls, ringingCalls, connections, processKey }: Deps) {
  const elsewhere = async (by: string, find: (tx: Tx) => Promise<number | null>) => {
    const scope = { system: "which process has it; access is checked there", by };
    const { owner, living } = await database.withTransaction(scope, async (tx) => {
      const found = await find(tx);
      const isOther = found !== null && found !== processKey;
      return { owner: isOther ? found : null, living: isOther ? await listLivingProcesses(tx) : [] };
    });
    return owner === null ? null : { owner, lives: living.includes(owner) };
  };
  return {
    /** Rejects if the process that carries the call isn't running. */
    async ofCall({ caller, params }: { caller: Member; params: { callSid: string } }): Promise<number | null> {
      const { callSid } = params;
      if (liveCalls.find(callSid) || ringingCalls.find(callSid)) return null;
      const which = { callSid, userId: caller.userId, organisationId: caller.organisation.id };
      const found = await elsewhere(which.organisationId, (tx) => findProcessOfCall(tx, which));
      if (found && !found.lives) throw processGone();
      return found?.owner ?? null;
    },
    /** Returns null if the owning process has ended: the browser then opens a new connection. */
    async ofConnection(caller: Identity, mediaConnectionId: string | undefined): Promise<number | null> {
      if (mediaConnectionId === undefined || connections.has(mediaConnectionId)) return null;
      const { userId } = caller;
      // A connection that another process took over with its calls keeps the name its former process gave it.
      const found = await elsewhere(
        userId,
        async (tx) =>
          (await findProcessOfPerson(tx, { userId, mediaConnectionId })) ?? processOfConnection(mediaConnectionId),
      );
      return found?.lives ? found.owner : null;
    },
    /** The process that carries the person's live calls, where a new connection is useful. */
    async ofPerson({ caller: { userId } }: { caller: Identity }): Promise<number | null> {
      if (liveCalls.findOf(userId)) return null;
      const found = await elsewhere(userId, (tx) => findProcessOfPerson(tx, { userId }));
      return found?.lives ? found.owner : null;
    },
  };
}
export type Owners = ReturnType<typeof findOwningProcess>;
