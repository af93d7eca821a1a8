import { sql } from "kysely";
import type { Tx } from "../../db/transaction.ts";
import type { CrmColumn } from "./leads.table.ts";

/** While "on", changes of leads in this transaction come from the CRM, not from the team (migration 0047). */
export async function readCrm(tx: Tx, reads: "on" | "off"): Promise<void> {
  await sql`select set_config('app.reads_crm', ${reads}, true)`.execute(tx);
}

/** These columns are read from other fields of the CRM from now on, whose values aren't known yet. */
export async function forgetCrmValues(
  tx: Tx,
  key: { organisationId: string; integrationId: string },
  columns: readonly CrmColumn[],
): Promise<void> {
  await sql`
    update leads set crm_values = (
      select jsonb_object_agg(key, case when key = any(${columns}::text[]) then 'null' else value end)
      from jsonb_each(crm_values))
    where organisation_id = ${key.organisationId} and integration_id = ${key.integrationId}
      and crm_values ?| ${columns}::text[]`.execute(tx);
}
