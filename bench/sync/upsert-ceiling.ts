import { randomUUID } from "node:crypto";
import type { Pool } from "pg";
import { appRole } from "../../apps/server/src/db/app-role.ts";

const rowsAtOnce = 2_000;
const columns = {
  external_id: "text",
  first_name: "text",
  last_name: "text",
  email: "text",
  phone: "text",
  phone_number: "text",
  company: "text",
  job_title: "text",
  crm_url: "text",
  status: "text",
  crm_status: "text",
  crm_status_value: "text",
  owner_name: "text",
  next_step: "text",
  crm_owner: "text",
  crm_fields: "jsonb",
} as const;
const names = Object.keys(columns);
const updated = names.filter((name) => name !== "external_id");
const statement = `
  insert into leads (organisation_id, integration_id, ${names.join(", ")})
  select $1::uuid, $2::uuid, ${names.join(", ")}
  from unnest(${Object.values(columns)
    .map((type, index) => `$${index + 3}::${type}[]`)
    .join(", ")}) as given (${names.join(", ")})
  on conflict (organisation_id, integration_id, external_id) do update set
    ${updated.map((name) => `${name} = excluded.${name}`).join(", ")}
  where (${updated.map((name) => `leads.${name}`).join(", ")}) is distinct from
    (${updated.map((name) => `excluded.${name}`).join(", ")})`;

/** Seconds that the database takes to upsert these leads into another organisation, and then again unchanged. */
export async function measureCeiling(owner: Pool, organisationId: string): Promise<{ first: number; second: number }> {
  const client = await owner.connect();
  try {
    await client.query("begin; select set_config('app.scope', 'system', true)");
    const { rows } = await client.query(
      `select ${names.join(", ")} from leads where organisation_id = $1 order by position`,
      [organisationId],
    );
    const [target, integrationId] = [randomUUID(), randomUUID()];
    await client.query("insert into organisations (id, name) values ($1, 'Ceiling')", [target]);
    await client.query("commit");
    const batches: unknown[][] = [];
    for (let from = 0; from < rows.length; from += rowsAtOnce) {
      const some = rows.slice(from, from + rowsAtOnce);
      const arrays = names.map((name) => some.map((row) => (name === "crm_fields" ? "[]" : row[name])));
      batches.push([target, integrationId, ...arrays]);
    }
    const upsert = async (): Promise<number> => {
      const startedAt = performance.now();
      for (const batch of batches) {
        await client.query(
          `begin; set local role ${appRole}; select set_config('app.organisation_id', '${target}', true)`,
        );
        await client.query(statement, batch);
        await client.query("commit");
      }
      return (performance.now() - startedAt) / 1_000;
    };
    return { first: await upsert(), second: await upsert() };
  } finally {
    client.release();
  }
}
