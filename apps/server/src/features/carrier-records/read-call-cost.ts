import type { Database } from "../../db/database.ts";
import { Problem } from "../../http/problem.ts";
import type { Member } from "../../http/route.ts";
import { findCallCost } from "./differences.table.ts";

export async function readCallCost(database: Database, { organisation, userId }: Member, callSid: string) {
  const organisationId = organisation.id;
  const found = await database.readInTransaction({ userId, organisationId }, (tx) =>
    findCallCost(tx, { organisationId, callSid }),
  );
  if (found === null) throw new Problem("not-found", "Call not found.");
  return found;
}
