import type { Call } from "@leadline/contract/calls";
import type { Member } from "../../http/route.ts";
import { toCall, type CallDeps } from "./call-deps.ts";
import { listCalls as selectPage } from "./calls.table.ts";

interface ListCalls {
  caller: Member;
  query: { limit: number; before?: string | undefined; live?: boolean | undefined };
}

/** The organisation's calls, newest first. `next` is the query of the page that follows, where there may be one. */
export async function listCalls(
  deps: CallDeps,
  { caller, query }: ListCalls,
): Promise<{ calls: Call[]; next: string | null }> {
  const organisationId = caller.organisation.id;
  const page = { organisationId, limit: query.limit, before: query.before, live: query.live };
  const scope = { organisationId, userId: caller.userId };
  const stored = await deps.database.withTransaction(scope, (tx) => selectPage(tx, page));
  const last = stored.at(-1);
  const live = query.live === undefined ? "" : `&live=${query.live}`;
  return {
    calls: stored.map((call) => toCall(deps.carriers, call)),
    next: last && stored.length === query.limit ? `limit=${query.limit}&before=${last.callSid}${live}` : null,
  };
}
