import type { Tx } from "../../db/transaction.ts";
import { findByEmail, findDisabledAt } from "./users.table.ts";

/** In the system scope: the person with that address, in any organisation. */
export async function findPersonByEmail(
  tx: Tx,
  email: string,
): Promise<{ id: string; firstName: string; disabled: boolean } | undefined> {
  const row = await findByEmail(tx, email);
  return row && { id: row.id, firstName: row.first_name, disabled: row.disabled_at !== null };
}

export async function isDisabled(tx: Tx, userId: string): Promise<boolean> {
  return (await findDisabledAt(tx, userId)) !== null;
}
