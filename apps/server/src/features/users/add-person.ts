import type { Tx } from "../../db/transaction.ts";
import { hasAnybodyRegistered, insertUser } from "./users.table.ts";

interface NewPerson {
  id: string;
  firstName: string;
  lastName: string;
  email: string;
}

/** False if the email is taken. Without a password nobody can log in with one until the person sets it. */
export function addPerson(
  tx: Tx,
  { id, firstName, lastName, email }: NewPerson,
  passwordHash: string | null = null,
): Promise<boolean> {
  return insertUser(tx, { id, firstName, lastName, email, passwordHash });
}

/** Whether the first account exists. Locks creating it until the transaction ends. */
export const hasAnybody = (tx: Tx): Promise<boolean> => hasAnybodyRegistered(tx);
