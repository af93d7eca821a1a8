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

/** Of these, which (counted from 0) a lead without a number equals in name, email and phone as written. */
export async function selectKnownWithoutNumber(
  tx: Tx,
  organisationId: string,
  leads: readonly Pick<NewLeadRow, "firstName" | "lastName" | "email" | "phone">[],
): Promise<number[]> {
  if (leads.length === 0) return [];
  const column = (name: "firstName" | "lastName" | "email" | "phone") => leads.map((lead) => lead[name]);
  // The sort name follows from the names: it is here for its index.
  const { rows } = await sql<{ row: number }>`
    select given.row::int from unnest(
      ${column("firstName")}::text[], ${column("lastName")}::text[], ${column("email")}::text[], ${column("phone")}::text[]
    ) with ordinality as given (first_name, last_name, email, phone, row)
    where exists (
      select from leads
      where leads.organisation_id = ${organisationId} and leads.phone_number is null
        and leads.sort_name = lower(left(given.last_name || ' ' || given.first_name, 200))
        and leads.first_name = given.first_name and leads.last_name = given.last_name
        and leads.email = given.email and leads.phone = given.phone)`.execute(tx);
  return rows.map(({ row }) => row - 1);
}
