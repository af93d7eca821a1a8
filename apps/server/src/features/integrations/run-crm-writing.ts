import { runEvery } from "../../run-every.ts";
import { writeDueCalls } from "./call-logging/write-calls.ts";
import { writeDueLeads } from "./lead-write-back/write-leads.ts";
import { type OutboxTable, selectIntegrationsWithDueWrites } from "./outbox/outbox.table.ts";
import type { WhichWrites, WritingDeps } from "./outbox/write-due.ts";

/** Short compared with how long a rep expects to wait for a call to appear in the CRM. */
const everyMs = 1_000;
/** Enough that some CRMs that don't respond leave room for others. */
const maxIntegrations = 20;

interface CrmWriting {
  close(): Promise<void>;
}

/** Writes calls and leads to CRMs as they become due. Leads, which take more requests, don't delay calls. */
export function runCrmWriting(deps: WritingDeps, which: { organisationId?: string } = {}): CrmWriting {
  const queues = [
    runQueue(deps, { table: "call_activities", writeSome: writeDueCalls, ...which }),
    runQueue(deps, { table: "lead_writes", writeSome: writeDueLeads, ...which }),
  ];
  return {
    async close() {
      await Promise.all(queues.map((queue) => queue.close()));
    },
  };
}

interface Queue {
  table: OutboxTable;
  /** Returns how many. */
  writeSome(deps: WritingDeps, which: WhichWrites): Promise<number>;
  organisationId?: string;
}

/**
 * Each integration's rows are written on their own, so that a CRM that doesn't respond delays only its own. Closing waits
 * for those in progress.
 */
function runQueue(deps: WritingDeps, { table, writeSome, organisationId }: Queue): CrmWriting {
  const over = new AbortController();
  const writing = new Map<string, Promise<void>>();
  const warn = (error: unknown): void => deps.log.warn({ err: error, table }, "a queue could not be written to CRMs");
  const write = async (integrationId: string): Promise<void> => {
    try {
      for (let written = 1; written > 0 && !over.signal.aborted;) written = await writeSome(deps, { integrationId });
    } catch (error) {
      warn(error);
    }
    writing.delete(integrationId);
  };
  const look = async (): Promise<void> => {
    const asked = { most: maxIntegrations - writing.size, except: [...writing.keys()], organisationId };
    if (asked.most === 0) return;
    const due = await deps.database.withTransaction({ system: "find integrations with due writes" }, (tx) =>
      selectIntegrationsWithDueWrites(tx, table, asked),
    );
    for (const integrationId of due) writing.set(integrationId, write(integrationId));
  };
  const stopLooking = runEvery(look, { everyMs, onError: warn });
  return {
    async close() {
      over.abort();
      await stopLooking();
      await Promise.all(writing.values());
    },
  };
}
