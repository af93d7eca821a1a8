import { sql } from "kysely";
import type { Database } from "../db/database.ts";
import type { Tx } from "../db/transaction.ts";

/** Rows as JSON, by table. */
export type EveryRow = Map<string, string[]>;

/** Sees removed leads too. */
export const asSystem = <T>(database: Database, work: (tx: Tx) => Promise<T>): Promise<T> =>
  database.withTransaction({ system: "a test reads and fills every table" }, async (tx) => {
    await sql`select set_config('app.sees_removed_leads', 'on', true)`.execute(tx);
    return work(tx);
  });

/** Every row of the organisation, or of the person where tables aren't divided by organisation, by table. */
export const readEveryRow = (
  database: Database,
  { organisationId, userId }: { organisationId: string; userId: string },
): Promise<EveryRow> =>
  asSystem(database, async (tx) => {
    const { rows: tables } = await sql<{ name: string; columns: string[] }>`
      select table_name as name, array_agg(column_name::text) as columns from information_schema.columns
      where table_schema = 'public' group by 1 order by 1`.execute(tx);
    const every: EveryRow = new Map();
    for (const { name, columns } of tables) {
      const key = name === "users" ? "id" : columns.find((column) => column === "user_id" || column === "avatar_of");
      const isTheirs = [
        ...(columns.includes("organisation_id") ? [sql`organisation_id = ${organisationId}`] : []),
        ...(key === undefined ? [] : [sql`${sql.ref(key)}::text = ${userId}`]),
      ];
      if (isTheirs.length === 0) continue;
      const { rows } = await sql<{ row: string }>`
        select to_jsonb(t)::text as row from ${sql.table(name)} t where ${sql.join(isTheirs, sql` or `)}`.execute(tx);
      every.set(
        name,
        rows.map(({ row }) => row),
      );
    }
    return every;
  });

/** How many rows are gone or other than before, by table, without tables that have none. */
export function countChanged(before: EveryRow, after: EveryRow): Record<string, number> {
  const changed = [...before].map(([table, rows]) => {
    const left = new Set(after.get(table));
    return [table, rows.filter((row) => !left.has(row)).length] as const;
  });
  return Object.fromEntries(changed.filter(([, count]) => count > 0));
}
