import type { ImportDuplicate } from "@leadline/contract/lead-imports";
import type { LeadInput } from "@leadline/contract/leads";
import { sql } from "kysely";
import type { z } from "zod";
import type { Tx } from "../../db/transaction.ts";
import type { LeadImportKey } from "./lead-imports.table.ts";

type Fields = z.output<typeof LeadInput>;

export interface LeadImportDuplicateTable {
  import_id: string;
  organisation_id: string;
  row_number: number;
  /** Matched by its phone number. Otherwise by name, email and phone as written. */
  by_number: boolean;
  /** The match: a lead, or an earlier row. */
  lead_id: string | null;
  earlier_row: number | null;
  imported: boolean;
  fields: Fields;
}

export type NewDuplicate = Omit<LeadImportDuplicateTable, "import_id" | "organisation_id">;

export async function insertDuplicates(tx: Tx, key: LeadImportKey, given: readonly NewDuplicate[]): Promise<void> {
  if (given.length === 0) return;
  const column = <K extends keyof NewDuplicate>(name: K) => given.map((duplicate) => duplicate[name]);
  const fields = given.map((duplicate) => JSON.stringify(duplicate.fields));
  await sql`
    insert into lead_import_duplicates
      (import_id, organisation_id, row_number, by_number, lead_id, earlier_row, imported, fields)
    select ${key.id}::uuid, ${key.organisationId}::uuid, row_number, by_number, lead_id, earlier_row, imported, fields
    from unnest(${column("row_number")}::integer[], ${column("by_number")}::boolean[], ${column("lead_id")}::uuid[],
      ${column("earlier_row")}::integer[], ${column("imported")}::boolean[], ${fields}::json[])
      as given (row_number, by_number, lead_id, earlier_row, imported, fields)`.execute(tx);
}

export interface ListedDuplicate extends ImportDuplicate {
  fields: Fields;
}

/** In the file's order, after `afterRow`. */
export async function selectDuplicates(
  tx: Tx,
  { id, organisationId }: LeadImportKey,
  page: { afterRow: number; limit: number },
): Promise<ListedDuplicate[]> {
  const rows = await tx
    .selectFrom("lead_import_duplicates as found")
    .leftJoin("leads", (join) =>
      join.onRef("leads.id", "=", "found.lead_id").on("leads.organisation_id", "=", organisationId),
    )
    .select(["row_number", "by_number", "earlier_row", "imported", "fields"])
    .select(["leads.id as lead_id", "leads.first_name", "leads.last_name"])
    .where("found.organisation_id", "=", organisationId)
    .where("found.import_id", "=", id)
    .where("row_number", ">", page.afterRow)
    .orderBy("row_number")
    .limit(page.limit)
    .execute();
  return rows.map((row) => ({
    row: row.row_number,
    name: `${row.fields.firstName} ${row.fields.lastName}`.trim(),
    matchedBy: row.by_number ? "phone-number" : "details",
    lead:
      row.lead_id === null ? null : { id: row.lead_id, firstName: row.first_name ?? "", lastName: row.last_name ?? "" },
    earlierRow: row.earlier_row,
    done: row.imported ? "imported" : "left-out",
    fields: row.fields,
  }));
}
