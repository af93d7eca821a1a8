import type { User } from "@leadline/contract/users";
import type { Tx } from "../../db/transaction.ts";
import { Problem } from "../../http/problem.ts";
import { activeOrganisationOf } from "../organisations/find-organisation.ts";
import { findUser, toUser } from "./users.table.ts";

/** The user as they see themselves, with their active organisation. */
export async function presentSelf(tx: Tx, userId: string): Promise<User> {
  const [row, organisation] = await Promise.all([findUser(tx, userId), activeOrganisationOf(tx, userId)]);
  if (row === undefined) throw new Problem("not-found", "Your account no longer exists.");
  return toUser(row, organisation);
}
