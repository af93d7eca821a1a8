import type { LeadTimelineEntry } from "@leadline/contract/lead-timeline";
import { z } from "zod";
import type { Database } from "../../db/database.ts";
import { invalidInput } from "../../http/read-input.ts";
import type { Member } from "../../http/route.ts";
import { requireLead } from "../leads/get-lead.ts";
import { selectTimeline, type TimelineCursor } from "./lead-timeline.table.ts";

interface ReadTimeline {
  caller: Member;
  leadId: string;
  query: { limit: number; after?: string | undefined };
}

/** A page of a lead's history. `next` is the query of the next page. */
export async function readTimeline(
  database: Database,
  { caller, leadId, query }: ReadTimeline,
): Promise<{ entries: LeadTimelineEntry[]; next: string | null }> {
  const organisationId = caller.organisation.id;
  const { limit } = query;
  const after = query.after === undefined ? null : readCursor(query.after);
  const found = await database.readInTransaction({ organisationId, userId: caller.userId }, async (tx) => {
    await requireLead(tx, { id: leadId, organisationId });
    return selectTimeline(tx, { organisationId, leadId, after, limit: limit + 1 });
  });
  const entries = found.slice(0, limit);
  const last = entries.at(-1);
  if (found.length <= limit || last === undefined) return { entries, next: null };
  const cursor = Buffer.from(JSON.stringify([last.at, last.id])).toString("base64url");
  return { entries, next: new URLSearchParams({ limit: String(limit), after: cursor }).toString() };
}

const CursorText = z.tuple([z.iso.datetime(), z.string().regex(/^[a-z]+ [\w-]{1,40}$/)]);

function readCursor(text: string): TimelineCursor {
  try {
    const [at, id] = CursorText.parse(JSON.parse(Buffer.from(text, "base64url").toString()));
    return { at, id };
  } catch {
    throw invalidInput([{ path: ["after"], message: "This does not continue a timeline." }]);
  }
}
