import { type LeadCount, type LeadStatus, mostLeadsCounted } from "@leadline/contract/leads";
import type { Database } from "../../db/database.ts";
import type { Member } from "../../http/route.ts";
import { countLeadsUpTo } from "./leads.table.ts";

export async function countLeads(
  database: Database,
  caller: Member,
  { status }: { status?: LeadStatus | undefined },
): Promise<LeadCount> {
  const organisationId = caller.organisation.id;
  // One more than is told of tells whether there are more.
  const most = mostLeadsCounted + 1;
  const counted = await database.readInTransaction({ organisationId, userId: caller.userId }, (tx) =>
    countLeadsUpTo(tx, { organisationId, status, most }),
  );
  return { count: Math.min(counted, mostLeadsCounted), more: counted > mostLeadsCounted };
}
