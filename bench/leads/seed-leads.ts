import type { Pool } from "pg";

const firstNames = ["James", "Mary", "Robert", "Patricia", "John", "Jennifer", "Michael", "Linda", "Bob", "Eve", "Uma"];
const lastNames = ["Smith", "Johnson", "Williams", "Brown", "Jones", "Garcia", "Miller", "Davis", "Stone", "Rook"];

/** Varied leads, one name in a thousand rare, all with the company's email addresses. */
export async function seedLeads(
  owner: Pool,
  of: { organisationId: string; company: string; count: number },
): Promise<void> {
  const client = await owner.connect();
  try {
    await client.query("begin; select set_config('app.scope', 'system', true)");
    await client.query(
      `insert into leads (organisation_id, first_name, last_name, email, phone, phone_number, status, owner_name)
       select $1::uuid, first, last, lower(first || '.' || last || n || '@' || $2 || n % 500 || '.example'),
         '(' || area || ') ' || exchange || '-' || line, '+1' || area || exchange || line,
         (array['New', 'Working', 'Nurturing', 'Qualified', 'Unqualified'])[1 + n % 5],
         case when n % 4 = 0 then '' else 'Owner ' || n % 200 end
       from (
         select n, ($4::text[])[1 + n * 7919 % cardinality($4::text[])] as first,
           ($5::text[])[1 + n * 104729 % cardinality($5::text[])] || case when n % 1000 = 7 then 'zyx' else '' end as last,
           200 + n * 31 % 700 as area, 200 + n * 17 % 700 as exchange, lpad((n * 7 % 10000)::text, 4, '0') as line
         from generate_series(1, $3::bigint) as n
       ) as made`,
      [of.organisationId, of.company, of.count, firstNames, lastNames],
    );
    await client.query("commit");
  } finally {
    client.release();
  }
}
