import { CrmError } from "@leadline/adapter-kit/crm";
import { backOffMs } from "../../../back-off-ms.ts";
import { DatabaseUnreachable } from "../../../db/database-unreachable.ts";
import type { Tx } from "../../../db/transaction.ts";
import { NotRenewed } from "../access/crm-access.ts";
import type { IntegrationDeps } from "../integration-deps.ts";
import { findIntegration, type StoredIntegration } from "../integrations.table.ts";
import { noteAccessEnded } from "../access/note-access-ended.ts";
import { endPastPauses, findPause, pauseRequests } from "../sync/request-pauses.table.ts";
import { type DueWrite, dropWrite, noteTrouble, type OutboxTable, renewLease, takeDueWrites } from "./outbox.table.ts";

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
  /**
   * Longer than the requests of a creation, before which the lease is renewed. A killed worker delays its rows this long.
   */
  leaseMs: number;
  /** Null if there is nothing to write. */
  read(tx: Tx, due: DueWrite): Promise<Item | null>;
  /** Calls the CRM. The result records what it did. */
  send(deps: WritingDeps, given: Sending<Item>): Promise<(tx: Tx) => Promise<void>>;
  /** In the transaction that changes the row's state. */
  publish(deps: WritingDeps, tx: Tx, due: DueWrite): Promise<void>;
}
export interface Sending<Item> {
  integration: StoredIntegration;
  due: DueWrite;
  item: Item;
  /**
   * Runs the requests that create the record. Two workers never do so at once, and nobody tries again before the CRM has
   * settled a creation whose outcome is unknown.
   */
  create<Created>(requests: () => Promise<Created>): Promise<Created>;
}
export interface WhichWrites {
  organisationId?: string;
  integrationId?: string;
  leaseMs?: number;
}

const maxAtOnce = 10;
const retrying = { firstMs: 2_000, longestMs: 300_000 };
/** The longest pause that a CRM may request. */
const longestPauseMs = 3_600_000;
/** A CRM that didn't answer in time may still carry out the request. */
const settlesMs = 60_000;

/** Another worker has the row by now. */
class LeaseLost extends Error {}

/**
 * Writes a batch of due rows and returns how many. Settles once none of them is in progress, even if one fails.
 * Concurrent workers take different rows.
 */
export async function writeDue<Item>(deps: WritingDeps, outbox: Outbox<Item>, which: WhichWrites): Promise<number> {
  const due = await deps.database.withTransaction({ system: "find what is due at a CRM" }, (tx) =>
    takeDueWrites(tx, outbox.table, { leaseMs: outbox.leaseMs, ...which, most: maxAtOnce }),
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
  const create = async <Created>(requests: () => Promise<Created>): Promise<Created> => {
    const { table, leaseMs } = outbox;
    const isHeld = await deps.database.withTransaction({ organisationId }, (tx) =>
      renewLease(tx, table, due, { leaseMs }),
    );
    if (!isHeld) throw new LeaseLost();
    return requests().catch((error: unknown) => {
      throw waitUntilSettled(error, due);
    });
  };
  const key = { organisationId, integrationId };
  const { integration, pauses, item } = await deps.database.withTransaction({ organisationId }, async (tx) => ({
    integration: await findIntegration(tx, key),
    pauses: (await findPause(tx, key)).pauses,
    item: await outbox.read(tx, due),
  }));
  if (integration === null || item === null) return record((tx) => dropWrite(tx, outbox.table, due));
  try {
    const note = await outbox.send(deps, { integration, due, item, create });
    await record(note);
    if (pauses > 0) await deps.database.withTransaction({ organisationId }, (tx) => endPastPauses(tx, key));
  } catch (error) {
    if (error instanceof LeaseLost) return;
    // The failure can't be stored either. The row is due again when the lease ends.
    if (error instanceof DatabaseUnreachable) throw error;
    const { problem, afterMs, needsConnecting, pauseMs } = judge(deps, { outbox, pauses, due, error });
    await record(async (tx) => {
      // First, in the order in which every transaction locks.
      if (pauseMs !== null) await pauseRequests(tx, key, pauseMs);
      await noteTrouble(tx, outbox.table, due, { problem, afterMs });
      if (needsConnecting)
        await noteAccessEnded(deps, tx, integration, { error, kept: "what waits to be written there is kept" });
    });
  }
}

function judge<Item>(
  deps: WritingDeps,
  failure: { outbox: Outbox<Item>; pauses: number; due: DueWrite; error: unknown },
): { problem: string; afterMs: number | null; needsConnecting: boolean; pauseMs: number | null } {
  const { outbox, pauses, due, error } = failure;
  const fault = error instanceof CrmError ? error.fault : null;
  const noted = { err: error, key: due.key, integrationId: due.integrationId };
  if (fault === null) deps.log.error(noted, `writing a ${outbox.what} to a CRM failed unexpectedly`);
  else deps.log.warn(noted, `a ${outbox.what} was not written to a CRM`);
  const problem = error instanceof CrmError ? error.message : "It failed because of an error on our side.";
  const needsConnecting = fault === "grant-refused" || fault === "access-refused";
  const asked = error instanceof CrmError ? error.retryAfterMs : null;
  const times = fault === "limited" ? pauses : due.tries - 1;
  const waitMs = Math.max(backOffMs(times, retrying), Math.min(asked ?? 0, longestPauseMs));
  // Without access, the CRM hasn't judged the row itself.
  const isRefused = fault === "refused" && !(error instanceof NotRenewed);
  const afterMs = isRefused ? null : needsConnecting ? 0 : waitMs;
  return { problem, afterMs, needsConnecting, pauseMs: fault === "limited" ? waitMs : null };
}

function waitUntilSettled(error: unknown, { tries }: DueWrite): unknown {
  if (!(error instanceof CrmError) || error.fault !== "unreachable") return error;
  const retryAfterMs = Math.max(settlesMs, error.retryAfterMs ?? 0, backOffMs(tries - 1, retrying));
  return new CrmError("unreachable", error.message, { retryAfterMs, cause: error });
}
