import { Kysely, PostgresDialect } from "kysely";
import { Pool } from "pg";
import { afterAll, expect, test } from "vitest";
import { asSuperuser, ownDatabase } from "../testing/own-database.ts";
import { auditTables } from "./audited-tables.ts";
import { migrate } from "./migrate.ts";

const stored = await ownDatabase();
afterAll(stored.drop);

const [harbour, other] = ["00000000-0000-4000-8000-000000000001", "00000000-0000-4000-8000-000000000002"];
const hashOf = (organisation: string, account: string, id: string) =>
  `sha256(convert_to(concat_ws(' ', '${organisation}', '${account}', '${id}'), 'UTF8'))`;

test("the leads and erasures of a person's account become those of any account, also removed leads", async () => {
  await migrate(stored.url, "0077-audited-changes-counted");
  const pool = new Pool({ connectionString: stored.url });
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) });
  // As in an installation that has been running.
  await auditTables(db);
  await db.destroy();
  await asSuperuser(
    [
      "set session_replication_role = replica",
      `insert into integrations (id, organisation_id, label, service, account_id) values
        (gen_random_uuid(), '${harbour}', 'A', 'one-crm', 'user:1'),
        (gen_random_uuid(), '${harbour}', 'B', 'another-crm', '7'),
        (gen_random_uuid(), '${other}', 'C', 'another-crm', '7')`,
      `insert into leads (organisation_id, first_name, last_name, email, phone, former_account, former_external_id, removal_id)
        values ('${harbour}', '', 'Stone', '', '', 'one-crm:user:2', '12', null),
          ('${harbour}', '', 'Rock', '', '', 'one-crm:user:2', '13', gen_random_uuid()),
          ('${harbour}', '', 'Brook', '', '', 'another-crm:7', '14', null)`,
      `insert into erased_crm_records (organisation_id, record_hash) values
        ('${harbour}', ${hashOf(harbour, "one-crm:user:1", "15")}), ('${other}', ${hashOf(other, "another-crm:7", "16")})`,
      "set session_replication_role = origin",
    ],
    stored.name,
  );
  await migrate(stored.url);
  const read = (statement: string) => asSuperuser([statement], stored.name);
  expect(await read("select label, account_id from integrations order by label")).toEqual([
    { label: "A", account_id: "any" },
    { label: "B", account_id: "7" },
    { label: "C", account_id: "7" },
  ]);
  expect(await read("select former_account from leads order by former_external_id")).toEqual(
    ["one-crm:any", "one-crm:any", "another-crm:7"].map((account) => ({ former_account: account })),
  );
  expect(await read(`select former_accounts from erased_crm_records order by organisation_id = '${other}'`)).toEqual([
    { former_accounts: ["one-crm:user:1", "one-crm:user:2"] },
    { former_accounts: null },
  ]);
});
