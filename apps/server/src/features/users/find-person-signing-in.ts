import type { Tx } from "../../db/transaction.ts";
import { findSignIn, type SignInRow } from "./users.table.ts";

/** What signing in is checked against; undefined for an email nobody registered. */
export function findPersonSigningIn(tx: Tx, by: { email: string }): Promise<SignInRow | undefined> {
  return findSignIn(tx, by);
}
