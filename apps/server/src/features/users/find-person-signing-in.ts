import type { Tx } from "../../db/transaction.ts";
import { findSignIn, type SignInRow } from "./users.table.ts";

/** What a sign-in is checked against. Undefined for an unregistered email. */
export function findPersonSigningIn(tx: Tx, by: { email: string }): Promise<SignInRow | undefined> {
  return findSignIn(tx, by);
}
