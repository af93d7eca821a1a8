import { type LeadConflict, maxConflictsCounted } from "@leadline/contract/lead-conflicts";
import { z } from "zod";
import type { Database } from "../../db/database.ts";
import type { Tx } from "../../db/transaction.ts";
import { Problem } from "../../http/problem.ts";
import { invalidInput } from "../../http/read-input.ts";
import type { Member } from "../../http/route.ts";
import { leadsByIds } from "../leads/get-lead.ts";
import {
  type Conflict,
  type ConflictKind,
  countConflicts,
  insertSeparation,
  selectConflicts,
} from "./conflicts.table.ts";

interface Cursor {
  kind: ConflictKind;
  value: string;
}

/** A page of conflicts, shared numbers before shared emails. `next` is the query of the next page. */
export async function listConflicts(
  database: Database,
  { caller, query }: { caller: Member; query: { limit: number; after?: string | undefined } },
): Promise<{ conflicts: LeadConflict[]; next: string | null }> {
  const organisationId = caller.organisation.id;
  const { limit } = query;
  const after = query.after === undefined ? null : readCursor(query.after);
  return database.readInTransaction({ organisationId, userId: caller.userId }, async (tx) => {
    // One more than requested shows whether there is a next page.
    const found = await findConflicts(tx, { organisationId, after, limit: limit + 1 });
    const page = found.slice(0, limit);
    const leads = await leadsByIds(tx, organisationId, [...new Set(page.flatMap(({ ids }) => ids))]);
    const conflicts = page.map(({ kind, value, ids, count }) => ({
      kind,
      value,
      count,
      leads: ids.flatMap((id) => leads.get(id) ?? []),
    }));
    const last = page.at(-1);
    if (found.length <= limit || last === undefined) return { conflicts, next: null };
    const cursor = Buffer.from(JSON.stringify([last.kind, last.value])).toString("base64url");
    return { conflicts, next: new URLSearchParams({ limit: String(limit), after: cursor }).toString() };
  });
}

async function findConflicts(
  tx: Tx,
  { organisationId, after, limit }: { organisationId: string; after: Cursor | null; limit: number },
): Promise<Conflict[]> {
  const byPhone =
    after?.kind === "email"
      ? []
      : await selectConflicts(tx, { organisationId, kind: "phone", after: after?.value ?? null, limit });
  if (byPhone.length === limit) return byPhone;
  const start = after?.kind === "email" ? after.value : null;
  const rest = limit - byPhone.length;
  return [...byPhone, ...(await selectConflicts(tx, { organisationId, kind: "email", after: start, limit: rest }))];
}

const CursorText = z.tuple([
  z.enum(["phone", "email"]),
  z
    .string()
    .max(300)
    .regex(/^[^\0]*$/),
]);

function readCursor(text: string): Cursor {
  try {
    const [kind, value] = CursorText.parse(JSON.parse(Buffer.from(text, "base64url").toString()));
    return { kind, value };
  } catch {
    throw invalidInput([{ path: ["after"], message: "This does not continue a list of conflicts." }]);
  }
}

export async function countEveryConflict(database: Database, { organisation, userId }: Member) {
  const organisationId = organisation.id;
  const limit = maxConflictsCounted + 1;
  const counted = await database.readInTransaction({ organisationId, userId }, async (tx) => {
    const byPhone = await countConflicts(tx, { organisationId, kind: "phone", limit });
    return byPhone === limit ? byPhone : byPhone + (await countConflicts(tx, { organisationId, kind: "email", limit }));
  });
  return { count: Math.min(counted, maxConflictsCounted), more: counted > maxConflictsCounted };
}

/** These leads are different people, though they share it. */
export async function keepSeparate(
  database: Database,
  { organisation, userId }: Member,
  shared: { kind: ConflictKind; value: string },
): Promise<void> {
  const organisationId = organisation.id;
  const value = shared.kind === "email" ? shared.value.toLowerCase() : shared.value;
  const kept = await database.withTransaction({ organisationId, userId }, (tx) =>
    insertSeparation(tx, { organisationId, kind: shared.kind, value }),
  );
  if (!kept) throw new Problem("not-found", "No leads share that any more.");
}
