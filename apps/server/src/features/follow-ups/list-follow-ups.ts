import type { FollowUp } from "@leadline/contract/follow-ups";
import type { Database } from "../../db/database.ts";
import type { Member } from "../../http/route.ts";
import { selectFollowUps } from "./follow-ups.table.ts";

interface ListFollowUps {
  caller: Member;
  query: { until?: string | undefined; limit: number };
}

export async function listFollowUps(database: Database, { caller, query }: ListFollowUps): Promise<FollowUp[]> {
  const organisationId = caller.organisation.id;
  const page = { organisationId, until: query.until ?? null, limit: query.limit };
  return database.withTransaction({ organisationId, userId: caller.userId }, (tx) => selectFollowUps(tx, page));
}
