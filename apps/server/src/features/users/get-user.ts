import type { User } from "@leadline/contract/users";
import type { Database } from "../../db/database.ts";
import { Problem } from "../../http/problem.ts";
import type { Identity } from "../../http/route.ts";
import { presentSelf } from "./present-user.ts";
import { findColleague, toUser } from "./users.table.ts";

/** The caller, or a member of the active organisation. Throws not found for anyone else. */
export async function getUser(database: Database, caller: Identity, id: string): Promise<User> {
  const { userId, organisation } = caller;
  if (id === userId) return database.readAtOnce({ userId }, (tx) => presentSelf(tx, userId));
  const organisationId = organisation?.id;
  if (organisationId !== undefined) {
    const key = { id, organisationId };
    const row = await database.withTransaction({ userId, organisationId }, (tx) => findColleague(tx, key));
    if (row !== undefined) return toUser(row, null);
  }
  throw new Problem("not-found", "Member not found.");
}
