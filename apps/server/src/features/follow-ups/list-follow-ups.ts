import type { HandlerInput } from "@leadline/contract/endpoint";
import type { FollowUp, listFollowUps as endpoint } from "@leadline/contract/follow-ups";
import type { Database } from "../../db/database.ts";
import type { Member } from "../../http/route.ts";
import { selectFollowUps } from "./follow-ups.table.ts";

interface ListFollowUps {
  caller: Member;
  query: HandlerInput<typeof endpoint>["query"];
}

export async function listFollowUps(database: Database, { caller, query }: ListFollowUps): Promise<FollowUp[]> {
  const organisationId = caller.organisation.id;
  const ownerId = query.owner === "me" ? caller.userId : null;
  const page = { organisationId, ownerId, until: query.until ?? null, limit: query.limit };
  return database.withTransaction({ organisationId, userId: caller.userId }, (tx) => selectFollowUps(tx, page));
}
