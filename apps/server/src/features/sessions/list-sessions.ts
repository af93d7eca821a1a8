import type { Session } from "@leadline/contract/sessions";
import type { Database } from "../../db/database.ts";
import type { Identity } from "../../http/route.ts";
import { selectOpenSessions } from "./sessions.table.ts";

/** The caller's open sessions, last used first. */
export async function listSessions(database: Database, caller: Identity): Promise<Session[]> {
  const { userId, sessionId } = caller;
  const sessions = await database.withTransaction({ userId }, (tx) => selectOpenSessions(tx, userId));
  return sessions.map((session) => Object.assign(session, { current: session.id === sessionId }));
}
