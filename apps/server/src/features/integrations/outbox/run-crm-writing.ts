import { writeDueCalls } from "../written-calls/write-calls.ts";
import { writeDueLeads } from "../written-leads/write-leads.ts";
import { selectIntegrationsWithDueWrites } from "./outbox.table.ts";
import type { WritingDeps } from "./write-due.ts";

/** Short compared with how long a rep expects to wait for a call to appear in the CRM. */
const everyMs = 1_000;
/** Enough that some CRMs that don't respond leave room for others. */
const mostIntegrations = 20;

/**
 * Writes calls and leads to CRMs as they become due, each integration's on its own, so that a CRM that doesn't respond
 * delays only its own. Closing waits for those in progress.
 */
export function runCrmWriting(
  deps: WritingDeps,
  { organisationId }: { organisationId?: string } = {},
): { close(): Promise<void> } {
  const over = new AbortController();
  const writing = new Map<string, Promise<void>>();
  let looking: Promise<void> = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  const warn = (error: unknown): void => deps.log.warn({ err: error }, "calls and leads could not be written to CRMs");
  const write = async (integrationId: string): Promise<void> => {
    try {
      for (let written = 1; written > 0 && !over.signal.aborted;)
        written = (await writeDueCalls(deps, { integrationId })) + (await writeDueLeads(deps, { integrationId }));
    } catch (error) {
      warn(error);
    }
    writing.delete(integrationId);
  };
  const look = async (): Promise<void> => {
    const asked = { most: mostIntegrations - writing.size, except: [...writing.keys()], organisationId };
    if (asked.most === 0) return;
    try {
      const due = await deps.database.withTransaction({ system: "find integrations with due writes" }, (tx) =>
        selectIntegrationsWithDueWrites(tx, asked),
      );
      for (const integrationId of due) writing.set(integrationId, write(integrationId));
    } catch (error) {
      warn(error);
    }
  };
  const wait = (): void => {
    if (over.signal.aborted) return;
    timer = setTimeout(() => {
      looking = look();
      void looking.then(wait);
    }, everyMs).unref();
  };
  wait();
  return {
    async close() {
      over.abort();
      clearTimeout(timer);
      await looking;
      await Promise.all(writing.values());
    },
  };
}
