import { type Kysely, sql } from "kysely";

/** Hours had no effect until now, so the former default is nobody's choice. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const days = ["monday", "tuesday", "wednesday", "thursday", "friday"];
  const formerDefault = JSON.stringify(days.map((day) => ({ day, opensAt: "09:00", closesAt: "17:00" })));
  await sql`alter table organisations alter column opening_hours set default '[]'`.execute(db);
  await sql`update organisations set opening_hours = '[]' where opening_hours = ${formerDefault}::jsonb`.execute(db);
}
