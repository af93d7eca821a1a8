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

/** Of these numbers, those that a lead has, with the oldest such lead. */
export async function selectKnownNumbers(
  tx: Tx,
  organisationId: string,
  phoneNumbers: readonly string[],
): Promise<Map<string, string>> {
  const rows = await tx
    .selectFrom("leads")
    .select(["phone_number", "id"])
    .distinctOn("phone_number")
    .where("organisation_id", "=", organisationId)
    .where("phone_number", "=", sql<string>`any(${phoneNumbers}::text[])`)
    .orderBy("phone_number")
    .orderBy("position")
    .execute();
  return new Map(rows.flatMap((row) => (row.phone_number === null ? [] : [[row.phone_number, row.id]])));
}

/** Of these, which (counted from 0) a lead without a number equals in name, email and phone as written, and that lead. */
export async function selectKnownWithoutNumber(
  tx: Tx,
  organisationId: string,
  leads: readonly Pick<NewLeadRow, "firstName" | "lastName" | "email" | "phone">[],
): Promise<{ index: number; leadId: string }[]> {
  if (leads.length === 0) return [];
  const column = (name: "firstName" | "lastName" | "email" | "phone") => leads.map((lead) => lead[name]);
  // The sort name follows from the names: it is here for its index.
  const { rows } = await sql<{ row: number; lead_id: string }>`
    select given.row::int, known.id as lead_id from unnest(
      ${column("firstName")}::text[], ${column("lastName")}::text[], ${column("email")}::text[], ${column("phone")}::text[]
    ) with ordinality as given (first_name, last_name, email, phone, row)
    cross join lateral (
      select leads.id from leads
      where leads.organisation_id = ${organisationId} and leads.phone_number is null
        and leads.sort_name = lower(left(given.last_name || ' ' || given.first_name, 200))
        and leads.first_name = given.first_name and leads.last_name = given.last_name
        and leads.email = given.email and leads.phone = given.phone
      order by leads.position limit 1) as known`.execute(tx);
  return rows.map(({ row, lead_id: leadId }) => ({ index: row - 1, leadId }));
}
