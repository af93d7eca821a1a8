import type { Tx } from "../../db/transaction.ts";
import { selectPeopleWithSession } from "./sessions.table.ts";

/** Those of these people who have an open session. */
export async function listSignedInPeople(tx: Tx, userIds: readonly string[]): Promise<Set<string>> {
  return new Set(await selectPeopleWithSession(tx, userIds));
}
