import { type LeadConditions, type LeadCount, maxLeadsCounted } from "@leadline/contract/leads";
import type { Database } from "../../../db/database.ts";
import type { Member } from "../../../http/route.ts";
import { conditionsOf } from "./conditions-of.ts";
import { dueTimes } from "./due-times.ts";
import { countLeadsUpTo } from "./lead-conditions.table.ts";

export async function countLeads(database: Database, caller: Member, given: LeadConditions): Promise<LeadCount> {
  const conditions = conditionsOf(caller, given);
  const organisationId = caller.organisation.id;
  // One more than is reported shows whether there are more.
  const most = maxLeadsCounted + 1;
  const counted = await database.readInTransaction({ organisationId, userId: caller.userId }, async (tx) =>
    countLeadsUpTo(tx, { organisationId, conditions, times: await dueTimes(tx, organisationId, conditions), most }),
  );
  return { count: Math.min(counted, maxLeadsCounted), more: counted > maxLeadsCounted };
}
