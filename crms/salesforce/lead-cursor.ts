import { CrmError } from "@leadline/adapter-kit/crm";
import { z } from "zod";

/** A transaction in Salesforce may commit with a timestamp up to this old, so each reading starts this far back. */
export const lagMs = 60_000;
const RecordId = z.string().regex(/^[a-zA-Z0-9]{15,18}$/);
/** Before every record. */
const firstId = "000000000000000";

/** How a value is written in a job's CSV, which has text alone. */
const ValueKind = z.enum(["boolean", "number", "time"]);
export type ValueKind = z.output<typeof ValueKind>;

/** A query job that was created, and how far its results are read. */
const BulkReading = z.object({
  jobId: RecordId,
  /** By Salesforce's clock. */
  startedAt: z.iso.datetime(),
  /** Of the selected fields that aren't text. */
  kinds: z.record(z.string(), ValueKind),
  /** Null until the job is complete. */
  total: z.int().nullable(),
  /** Where the next results start; null at the beginning. */
  locator: z.string().max(1_000).nullable(),
});
export type BulkReading = z.output<typeof BulkReading>;

const LeadCursor = z.object({
  /** The last lead that was read; the next ones come after it. */
  after: z.object({ at: z.iso.datetime(), id: RecordId }).nullable(),
  /** Deletions are known up to here. */
  deletedTo: z.iso.datetime().nullable(),
  /** A reading under way. `next`: the server's own cursor, good for minutes. */
  reading: z
    .object({
      startedAt: z.iso.datetime(),
      step: z.enum(["changed", "deleted"]),
      next: z.string().nullable(),
      total: z.int().nullable(),
      read: z.int(),
    })
    .nullable(),
  /** A first reading by a query job. Missing from cursors of earlier versions. */
  bulk: BulkReading.nullable().default(null),
  /** A job whose results are all stored, to be deleted. */
  spentJob: RecordId.nullable().default(null),
});
export type LeadCursor = z.output<typeof LeadCursor>;

export const fromNothing: LeadCursor = { after: null, deletedTo: null, reading: null, bulk: null, spentJob: null };

export const writeCursor = (cursor: LeadCursor): string => JSON.stringify(cursor);

export function readCursor(text: string | null): LeadCursor {
  if (text === null) return fromNothing;
  const parsed = LeadCursor.safeParse(JSON.parse(text));
  if (parsed.success) return parsed.data;
  throw new CrmError("refused", "Leadline lost its place in Salesforce. Remove the integration and add it again.");
}

/** Where the newest lead is so young that an older one may still appear, the next reading starts before it. */
export function finishReading(cursor: LeadCursor, startedAt: string): string {
  const settledMs = Date.parse(startedAt) - lagMs;
  const { after } = cursor;
  const settled = after === null || Date.parse(after.at) <= settledMs;
  const from = settled ? after : { at: new Date(settledMs).toISOString(), id: firstId };
  return writeCursor({ ...cursor, after: from, reading: null });
}

/** A job has read every lead as it was when the job started, or later: the next reading starts there. */
export const finishBulk = ({ startedAt, jobId: spentJob }: BulkReading): string =>
  finishReading({ ...fromNothing, after: { at: startedAt, id: firstId }, deletedTo: startedAt, spentJob }, startedAt);

/** By Salesforce's clock, of which its answers name whole seconds. */
export const msSince = (startedAt: string, at: Date): number => at.getTime() + 1_000 - Date.parse(startedAt);

/** 2026-01-31T09:30:00.000+0000 → 2026-01-31T09:30:00.000Z */
export const toIso = (time: string): string => new Date(time.replace(/([+-]\d\d)(\d\d)$/, "$1:$2")).toISOString();
