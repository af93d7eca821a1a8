import { CrmError } from "@leadline/adapter-kit/crm";
import { backOffMs } from "../../../back-off-ms.ts";
import { DatabaseUnreachable } from "../../../db/database-unreachable.ts";
import type { Tx } from "../../../db/transaction.ts";
import type { IntegrationDeps } from "../integration-deps.ts";
import { findIntegration, type StoredIntegration } from "../integrations.table.ts";
import { noteAccessEnded } from "../note-access-ended.ts";
import { type DueWrite, dropWrite, noteTrouble, type OutboxTable, takeDueWrites } from "./outbox.table.ts";

/** Notifies the organisation's tabs of a call's new state. */
export type PublishCall = (tx: Tx, callSid: string) => Promise<void>;

export interface WritingDeps extends IntegrationDeps {
  publicUrl: URL | null;
  publishCall: PublishCall;
}

/** One kind of thing that is written to CRMs, and its queue. */
export interface Outbox<Item> {
  table: OutboxTable;
  /** For logs. */
  what: string;
  /** Longer than all requests for one row. A killed worker delays its rows this long. */
  leaseMs: number;
  /** Null if there is nothing to write. */
  read(tx: Tx, due: DueWrite): Promise<Item | null>;
  /** Calls the CRM. The result records what it did. Null if there was nothing to write after all. */
  send(deps: WritingDeps, given: Sending<Item>): Promise<((tx: Tx) => Promise<void>) | null>;
  /** In the transaction that changes the row's state. */
  publish(deps: WritingDeps, tx: Tx, due: DueWrite): Promise<void>;
}
export interface Sending<Item> {
  integration: StoredIntegration;
  due: DueWrite;
  item: Item;
}
export interface WhichWrites {
  organisationId?: string;
  integrationId?: string;
  leaseMs?: number;
}

const mostAtOnce = 10;
const retrying = { firstMs: 2_000, longestMs: 300_000 };
/** The longest pause that a CRM may request. */
const longestPauseMs = 3_600_000;

/**
 * Writes a batch of due rows and returns how many. Settles once none of them is in progress, even if one fails.
 * Concurrent workers take different rows.
 */
export async function writeDue<Item>(deps: WritingDeps, outbox: Outbox<Item>, which: WhichWrites): Promise<number> {
  const due = await deps.database.withTransaction({ system: "find what is due at a CRM" }, (tx) =>
    takeDueWrites(tx, outbox.table, { leaseMs: outbox.leaseMs, ...which, most: mostAtOnce }),
  );
  const written = await Promise.allSettled(due.map((each) => writeOne(deps, outbox, each)));
  const failed = written.find((each) => each.status === "rejected");
  if (failed) throw failed.reason;
  return due.length;
}

async function writeOne<Item>(deps: WritingDeps, outbox: Outbox<Item>, due: DueWrite): Promise<void> {
  const { organisationId, integrationId } = due;
  const record = (note: (tx: Tx) => Promise<void>) =>
    deps.database.withTransaction({ organisationId }, async (tx) => {
      await note(tx);
      await outbox.publish(deps, tx, due);
    });
  const drop = () => record((tx) => dropWrite(tx, outbox.table, due));
  const { integration, item } = await deps.database.withTransaction({ organisationId }, async (tx) => ({
    integration: await findIntegration(tx, { organisationId, integrationId }),
    item: await outbox.read(tx, due),
  }));
  if (integration === null || item === null) return drop();
  try {
    const note = await outbox.send(deps, { integration, due, item });
    await (note === null ? drop() : record(note));
  } catch (error) {
    // The failure can't be stored either. The row is due again when the lease ends.
    if (error instanceof DatabaseUnreachable) throw error;
    const { problem, afterMs, needsConnecting } = judge(deps, { outbox, due, error });
    await record(async (tx) => {
      await noteTrouble(tx, outbox.table, due, { problem, afterMs });
      if (needsConnecting) await noteAccessEnded(deps, tx, integration, "what waits to be written there is kept");
    });
  }
}

function judge<Item>(
  deps: WritingDeps,
  { outbox, due, error }: { outbox: Outbox<Item>; due: DueWrite; error: unknown },
): { problem: string; afterMs: number | null; needsConnecting: boolean } {
  const fault = error instanceof CrmError ? error.fault : null;
  const noted = { err: error, key: due.key, integrationId: due.integrationId };
  if (fault === null) deps.log.error(noted, `writing a ${outbox.what} to a CRM failed unexpectedly`);
  else deps.log.warn(noted, `a ${outbox.what} was not written to a CRM`);
  const problem = error instanceof CrmError ? error.message : "It failed because of an error on our side.";
  const needsConnecting = fault === "grant-refused" || fault === "access-refused";
  const asked = error instanceof CrmError ? error.retryAfterMs : null;
  const waitMs = asked === null ? backOffMs(due.tries - 1, retrying) : Math.min(asked, longestPauseMs);
  return { problem, afterMs: fault === "refused" ? null : needsConnecting ? 0 : waitMs, needsConnecting };
}
