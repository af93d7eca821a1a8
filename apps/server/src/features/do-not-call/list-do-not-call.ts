import type { DoNotCallEntry } from "@leadline/contract/do-not-call";
import type { Database } from "../../db/database.ts";
import type { Member } from "../../http/route.ts";
import { selectDoNotCall } from "./do-not-call.table.ts";

interface ListDoNotCall {
  caller: Member;
  query: { phoneNumber?: string | undefined; limit: number; before?: number | undefined };
}

/** `next` is the query of the next page, or null on the last one. */
export async function listDoNotCall(
  database: Database,
  { caller, query }: ListDoNotCall,
): Promise<{ entries: DoNotCallEntry[]; next: string | null }> {
  const organisationId = caller.organisation.id;
  const { limit, before, phoneNumber = "" } = query;
  // Without leading zeros of a trunk prefix, as in the call log.
  const digits = phoneNumber.replaceAll(/\D/g, "").replace(/^0+(?=\d)/, "");
  const { entries, last } = await database.withTransaction({ organisationId, userId: caller.userId }, (tx) =>
    selectDoNotCall(tx, { organisationId, digits: digits || null, limit, before }),
  );
  const next = new URLSearchParams({ limit: String(limit), before: String(last) });
  if (phoneNumber !== "") next.set("phoneNumber", phoneNumber);
  return { entries, next: entries.length === limit ? next.toString() : null };
}
