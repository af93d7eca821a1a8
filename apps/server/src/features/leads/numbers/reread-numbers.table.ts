import { sql } from "kysely";
import type { Tx } from "../../../db/transaction.ts";

interface WrittenPhone {
  id: string;
  position: number;
  phone: string;
}

/** Oldest first, those whose phone has no country code. */
export async function selectPhonesWithoutCountry(
  tx: Tx,
  page: { organisationId: string; after: number; limit: number },
): Promise<WrittenPhone[]> {
  return tx
    .selectFrom("leads")
    .select(["id", "position", "phone"])
    .where("organisation_id", "=", page.organisationId)
    .where("position", ">", page.after)
    .where(sql<boolean>`phone !~ '^\\s*[+＋]'`)
    .orderBy("position")
    .limit(page.limit)
    .execute();
}

/** Skips a lead whose phone has changed since it was read. */
export async function updateNumbers(
  tx: Tx,
  organisationId: string,
  leads: readonly { id: string; phone: string; number: string }[],
): Promise<void> {
  await sql`
    update leads set phone_number = given.number
    from unnest(
      ${leads.map((lead) => lead.id)}::uuid[], ${leads.map((lead) => lead.phone)}::text[],
      ${leads.map((lead) => lead.number)}::text[]
    ) as given (id, phone, number)
    where leads.organisation_id = ${organisationId} and leads.id = given.id and leads.phone = given.phone
      and leads.phone_number is distinct from given.number`.execute(tx);
}
