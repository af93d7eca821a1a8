import type { Tx } from "../../db/transaction.ts";
import { insertUser } from "./users.table.ts";

/** Somebody whom a login elsewhere vouches for: without a password until they set one. False where the email is taken. */
export async function registerProvenPerson(
  tx: Tx,
  person: { id: string; firstName: string; lastName: string; email: string },
): Promise<boolean> {
  const { id, firstName, lastName, email } = person;
  return insertUser(tx, { id, firstName, lastName, email, passwordHash: null });
}
