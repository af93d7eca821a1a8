import { randomUUID } from "node:crypto";
import { Client, DatabaseError } from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ownMigratedDatabase } from "../testing/own-database.ts";
import {
  type Belonging,
  dropConstraints,
  insertRow,
  insertStatement,
  readTables,
  type TableFromSchema,
} from "../testing/rows-from-schema.ts";
import { appRole } from "./app-role.ts";

/** One user is in both organisations and acts in the second; the other user is only in the first. */
const person = randomUUID();
const other = randomUUID();
const elsewhere = randomUUID();
const here = randomUUID();
const strange = randomUUID();

/** What each policy decides, one by one; `move` is whether an own row can be given to another organisation. */
const actions = ["select", "insert", "update", "move", "delete"] as const;
type Action = (typeof actions)[number];

/** A user's own rows that they see from any organisation, but can't change from the wrong one. */
const seenFromElsewhere: Record<string, string> = {
  memberships: "a person lists the organisations they are in",
  organisations: "a person lists the organisations they are in",
  ledger_accounts: "the list of a person's organisations shows the balance of each",
  calls: "a person in a call is in it for every organisation, and cannot start another",
};

interface Prepared {
  table: TableFromSchema;
  own: Belonging[];
  foreign: { belonging: Belonging; ctid: string }[];
}

let database: Awaited<ReturnType<typeof ownMigratedDatabase>>;
let client: Client;
const prepared: Prepared[] = [];

beforeAll(async () => {
  database = await ownMigratedDatabase();
  client = new Client({ connectionString: database.url });
  await client.connect();
  const tables = await readTables(client);
  await dropConstraints(client);
  await client.query("select set_config('app.scope', 'system', false)");
  for (const table of tables) prepared.push(await prepare(table));
  await client.query("select set_config('app.scope', '', false)");
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

async function prepare(table: TableFromSchema): Promise<Prepared> {
  const own = { organisationId: here, userId: person };
  const foreign: Record<TableFromSchema["divides"], Belonging[]> = {
    organisations: [
      { organisationId: elsewhere, userId: person },
      { organisationId: /^(organisations|ledger_accounts)$/.test(table.name) ? strange : elsewhere, userId: other },
    ],
    people: [{ organisationId: here, userId: other }],
    nothing: [own],
  };
  const rows: Prepared["foreign"] = [];
  for (const belonging of foreign[table.divides])
    rows.push({ belonging, ctid: await insertRow(client, table, belonging) });
  if (table.divides === "nothing") return { table, own: [], foreign: rows };
  await insertRow(client, table, own);
  return { table, own: [own], foreign: rows };
}

/** What the app can do in the second organisation with rows outside it, after `change` to the schema. */
async function openDeeds({ table, own, foreign }: Prepared, change = "select 1"): Promise<Action[]> {
  const [boundaryHere, boundaryThere] = [own[0], foreign.at(-1)?.belonging].map((belonging) =>
    belonging === undefined ? undefined : table.valuesFor(belonging).get(table.boundary),
  );
  const isAllowed: Record<Action, () => Promise<boolean>> = {
    async select() {
      const mayBeSeen = foreign.filter(({ belonging }) => isSeenFromElsewhere(table, belonging));
      const ctids = foreign.filter((row) => !mayBeSeen.includes(row)).map(({ ctid }) => ctid);
      return (await affected(`select 1 from ${table.name} where ctid = any ($1::tid[])`, [ctids])) > 0;
    },
    async insert() {
      for (const { belonging } of foreign) {
        const { text, values } = insertStatement(table, belonging);
        if ((await affected(text, values)) > 0) return true;
      }
      return false;
    },
    // Neither statement reads a column, so that the read policy doesn't mask a broken write policy.
    update: async () =>
      (await affected(`update ${table.name} set ${table.boundary} = $1`, [boundaryHere ?? boundaryThere])) > own.length,
    move: async () => (await affected(`update ${table.name} set ${table.boundary} = $1`, [boundaryThere])) > 0,
    delete: async () => (await affected(`delete from ${table.name}`, [])) > own.length,
  };
  await client.query("begin");
  try {
    await client.query(change);
    await client.query(`set local role ${appRole}`);
    await client.query("select set_config('app.user_id', $1, true), set_config('app.organisation_id', $2, true)", [
      person,
      here,
    ]);
    const open: Action[] = [];
    for (const action of deedsOn(table)) if (await isAllowed[action]()) open.push(action);
    return open;
  } finally {
    await client.query("rollback");
  }
}

/** The number of rows affected; none if row-level security refuses the write. Rolled back either way. */
async function affected(statement: string, values: unknown[]): Promise<number> {
  await client.query("savepoint before");
  try {
    return (await client.query(statement, values)).rowCount ?? 0;
  } catch (error) {
    if (error instanceof DatabaseError && /violates row-level security/.test(error.message)) return 0;
    throw error;
  } finally {
    await client.query("rollback to savepoint before");
  }
}

/** A table whose rows are invisible in every scope has no own row to give away. */
const deedsOn = ({ divides }: TableFromSchema): readonly Action[] =>
  divides === "nothing" ? actions.filter((action) => action !== "move") : actions;

const isSeenFromElsewhere = ({ name }: TableFromSchema, { userId }: Belonging): boolean =>
  name in seenFromElsewhere && userId === person;

describe("a user acting in one of their organisations", () => {
  test("can't see, add, change, take over or delete a row of the other one, in any table", async () => {
    expect(prepared.filter(({ table }) => table.divides === "organisations").length).toBeGreaterThan(20);
    for (const one of prepared)
      expect({ table: one.table.name, open: await openDeeds(one) }).toEqual({ table: one.table.name, open: [] });
  });

  test("can access their own rows in each of these tables", async () => {
    for (const { table, own } of prepared.filter((one) => one.own.length > 0)) {
      await client.query("begin");
      await client.query(`set local role ${appRole}`);
      await client.query("select set_config('app.user_id', $1, true), set_config('app.organisation_id', $2, true)", [
        person,
        here,
      ]);
      const value = own[0] && table.valuesFor(own[0]).get(table.boundary);
      const reached = await affected(`update ${table.name} set ${table.boundary} = $1 where true`, [value]);
      await client.query("rollback");
      expect({ table: table.name, reached }).toEqual({ table: table.name, reached: 1 });
    }
  });
});

/** Each breaks one policy and leaves the others intact. */
const breakIn = ({ divides }: TableFromSchema): Record<Action, string> => ({
  select: "for select using (true)",
  insert: "for insert with check (true)",
  update: `for update using (true) with check (${divides === "nothing"})`,
  move: "for update using (false) with check (true)",
  delete: "for delete using (true)",
});

describe("the check above detects", () => {
  test.each(actions)("a policy that lets anyone %s, in any table", async (action) => {
    for (const one of prepared.filter(({ table }) => deedsOn(table).includes(action))) {
      const open = await openDeeds(one, `create policy opened on ${one.table.name} ${breakIn(one.table)[action]}`);
      expect({ table: one.table.name, open }).toEqual({ table: one.table.name, open: [action] });
    }
  });

  test("a table without row-level security", async () => {
    for (const one of prepared) {
      const open = await openDeeds(one, `alter table ${one.table.name} disable row level security`);
      expect({ table: one.table.name, open }).toEqual({ table: one.table.name, open: [...deedsOn(one.table)] });
    }
  });
});
