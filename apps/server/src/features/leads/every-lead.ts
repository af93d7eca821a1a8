import type { Lead } from "@leadline/contract/leads";
import type { Database } from "../../db/database.ts";
import type { Member } from "../../http/route.ts";
import { selectLeadPage } from "./lead-pages.table.ts";
import { toLead } from "./leads.table.ts";

const leadsAPage = 1_000;

/** The organisation's leads, oldest first, page by page: a reader may take its time without holding a transaction. */
export async function* everyLead(database: Database, caller: Member): AsyncGenerator<Lead> {
  const organisationId = caller.organisation.id;
  const scope = { organisationId, userId: caller.userId };
  let after: Parameters<typeof selectLeadPage>[1]["after"];
  for (;;) {
    const page = { organisationId, sort: "oldest", status: undefined, phone: undefined, patterns: [], after } as const;
    const rows = await database.withTransaction(scope, (tx) => selectLeadPage(tx, { ...page, limit: leadsAPage }));
    yield* rows.map(toLead);
    const last = rows.at(-1);
    if (last === undefined || rows.length < leadsAPage) return;
    after = { position: last.position, sortName: last.sort_name, statusRank: last.status_rank };
  }
}
