import type { LeadStatus } from "@leadline/contract/leads";
import { sql } from "kysely";
import type { Tx } from "../../db/transaction.ts";

export interface NewLeadRow {
  firstName: string;
  lastName: string;
  email: string;
  phone: string;
  phoneNumber: string | null;
  status: LeadStatus;
  followUpOn: string | null;
}

/** In the given order; answers how many. */
export async function insertLeadRows(tx: Tx, organisationId: string, leads: readonly NewLeadRow[]): Promise<number> {
  const column = <K extends keyof NewLeadRow>(name: K) => leads.map((lead) => lead[name]);
  const { numAffectedRows } = await sql`
    insert into leads (organisation_id, first_name, last_name, email, phone, phone_number, status, follow_up_on)
    select ${organisationId}::uuid, first_name, last_name, email, phone, phone_number, status, follow_up_on
    from unnest(
      ${column("firstName")}::text[], ${column("lastName")}::text[], ${column("email")}::text[],
      ${column("phone")}::text[], ${column("phoneNumber")}::text[], ${column("status")}::text[],
      ${column("followUpOn")}::date[]
    ) with ordinality as given (first_name, last_name, email, phone, phone_number, status, follow_up_on, row)
    order by row`.execute(tx);
  return Number(numAffectedRows ?? 0n);
}

/** Of these numbers, those that a lead has. */
export async function selectKnownNumbers(
  tx: Tx,
  organisationId: string,
  phoneNumbers: readonly string[],
): Promise<Set<string>> {
  const rows = await tx
    .selectFrom("leads")
    .select("phone_number")
    .distinct()
    .where("organisation_id", "=", organisationId)
    .where("phone_number", "=", sql<string>`any(${phoneNumbers}::text[])`)
    .execute();
  return new Set(rows.flatMap((row) => row.phone_number ?? []));
}
