import { randomUUID } from "node:crypto";
import type { Client } from "pg";

/** Who owns the row. */
export interface Belonging {
  organisationId: string;
  userId: string;
}

export interface TableFromSchema {
  name: string;
  /** What separates its rows: organisations, users, or nothing, if no one in a scope may see any. */
  divides: "organisations" | "people" | "nothing";
  /** The column that holds a row's owner; for a table without owners, any column. */
  boundary: string;
  /** The minimal values of a row, as column and text. */
  valuesFor(belonging: Belonging): Map<string, string>;
}

const sampleByType: Record<string, () => string> = {
  uuid: randomUUID,
  text: () => "x",
  int2: () => "1",
  int4: () => "1",
  int8: () => "1",
  numeric: () => "1",
  bool: () => "true",
  date: () => "2026-01-01",
  time: () => "09:00",
  timestamptz: () => "2026-01-01",
  json: () => "{}",
  jsonb: () => "{}",
  bytea: () => "\\x00",
  _text: () => "{}",
  _uuid: () => "{}",
};

interface Column {
  table_name: string;
  name: string;
  type: string;
  needed: boolean;
  names: "organisations" | "users" | null;
}

/** Every table of the schema, new ones included, with a way to insert rows for any owner. */
export async function readTables(client: Client): Promise<TableFromSchema[]> {
  const { rows } = await client.query<Column>(`
    select c.relname as table_name, a.attname as name, t.typname as type,
      a.attnotnull and not a.atthasdef and a.attidentity = '' as needed,
      (select f.confrelid::regclass::text from pg_constraint f
        where f.conrelid = c.oid and f.contype = 'f' and a.attnum = any (f.conkey)
          and f.confrelid in ('organisations'::regclass, 'users'::regclass) limit 1) as names
    from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    join pg_type t on t.oid = a.atttypid
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
    order by c.relname, a.attnum`);
  return [...Map.groupBy(rows, (column) => column.table_name)].map(([name, columns]) => toTable(name, columns));
}

/** An avatar belongs to a user, and its row to no organisation. */
const emptyColumns = new Set(["files.avatar_of", "users.active_organisation_id"]);

function toTable(name: string, columns: Column[]): TableFromSchema {
  const named = columns.map((column) => ({ ...column, names: namedBy(column) }));
  const boundaryOf = (kind: Column["names"]) => named.find(({ names }) => names === kind)?.name;
  const ofOrganisation = boundaryOf("organisations");
  const ofPerson = boundaryOf("users");
  const filled = named.filter(({ needed, names }) => needed || names !== null);
  const first = filled[0]?.name ?? columns[0]?.name ?? "";
  return {
    name,
    divides: ofOrganisation !== undefined ? "organisations" : ofPerson !== undefined ? "people" : "nothing",
    boundary: ofOrganisation ?? ofPerson ?? first,
    valuesFor: ({ organisationId, userId }) =>
      new Map(
        filled.map((column) => {
          const { names, type } = column;
          if (names !== null) return [column.name, names === "organisations" ? organisationId : userId];
          const sample = sampleByType[type];
          if (sample === undefined) throw new Error(`${name}.${column.name}: there is no sample of type ${type}`);
          return [column.name, sample()];
        }),
      ),
  };
}

function namedBy({ table_name, name, names }: Column): Column["names"] {
  if (name === "id" && (table_name === "organisations" || table_name === "users")) return table_name;
  if (name === "organisation_id" && table_name !== "organisations") return "organisations";
  return emptyColumns.has(`${table_name}.${name}`) ? null : names;
}

/** Drops foreign keys and checks, and disables triggers, so that a row only needs its owner. */
export async function dropConstraints(client: Client): Promise<void> {
  const { rows } = await client.query<{ drop: string }>(`
    select format('alter table %s drop constraint if exists %I cascade', conrelid::regclass, conname) as drop
    from pg_constraint where connamespace = 'public'::regnamespace and contype in ('c', 'f', 'u', 'p', 'x')
    order by contype = 'p'`);
  for (const { drop } of rows) await client.query(drop);
  const indexes = await client.query<{ drop: string }>(`
    select format('drop index %s', indexrelid::regclass) as drop from pg_index
    join pg_class c on c.oid = indrelid where indisunique and c.relnamespace = 'public'::regnamespace`);
  for (const { drop } of indexes.rows) await client.query(drop);
  const tables = await client.query<{ disable: string }>(`
    select format('alter table %I disable trigger user', relname) as disable from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')`);
  for (const { disable } of tables.rows) await client.query(disable);
}

/** Returns the row's position (its ctid). */
export async function insertRow(client: Client, table: TableFromSchema, belonging: Belonging): Promise<string> {
  const { text, values } = insertStatement(table, belonging);
  const { rows } = await client.query<{ ctid: string }>(`${text} returning ctid`, values);
  return rows[0]?.ctid ?? "";
}

export function insertStatement(table: TableFromSchema, belonging: Belonging): { text: string; values: string[] } {
  const row = table.valuesFor(belonging);
  const places = [...row.keys()].map((_, at) => `$${at + 1}`);
  const text = `insert into ${table.name} (${[...row.keys()].join(", ")}) values (${places.join(", ")})`;
  return { text, values: [...row.values()] };
}
