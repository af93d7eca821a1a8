import { sql } from "kysely";
import type { Tx } from "../../db/transaction.ts";

export interface SignInAttemptTable {
  key: Buffer;
  attempts: number;
  window_ends_at: string;
}

/** Increments the key's current window, which starts with the first attempt. */
export async function countAttempt(
  tx: Tx,
  key: Buffer,
  windowMinutes = 15,
): Promise<{ attempts: number; windowSeconds: number }> {
  const { rows } = await sql<{ attempts: number; windowSeconds: number }>`
    insert into sign_in_attempts as had (key, attempts, window_ends_at)
    values (${key}, 1, now() + ${windowMinutes} * interval '1 minute')
    on conflict (key) do update set
      attempts = case when had.window_ends_at < now() then 1 else had.attempts + 1 end,
      window_ends_at = case when had.window_ends_at < now() then excluded.window_ends_at else had.window_ends_at end
    returning attempts, ceil(extract(epoch from window_ends_at - now()))::int as "windowSeconds"`.execute(tx);
  return rows[0] ?? { attempts: 0, windowSeconds: 0 };
}

export async function forgetAttempts(tx: Tx, key: Buffer): Promise<void> {
  await tx.deleteFrom("sign_in_attempts").where("key", "=", key).execute();
}

export async function takeBackAttempt(tx: Tx, key: Buffer): Promise<void> {
  await tx
    .updateTable("sign_in_attempts")
    .set({ attempts: sql<number>`greatest(attempts - 1, 0)` })
    .where("key", "=", key)
    .execute();
}

/** The count in the current window. 0 if there is none. */
export async function countOf(tx: Tx, key: Buffer): Promise<number> {
  const row = await tx
    .selectFrom("sign_in_attempts")
    .select("attempts")
    .where("key", "=", key)
    .where("window_ends_at", ">=", sql<string>`now()`)
    .executeTakeFirst();
  return row?.attempts ?? 0;
}

export async function deletePastAttempts(tx: Tx): Promise<void> {
  await sql`delete from sign_in_attempts where window_ends_at < now()`.execute(tx);
}
