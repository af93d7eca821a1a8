import type { Tx } from "../../db/transaction.ts";
import { Problem } from "../../http/problem.ts";
import type { Identity } from "../../http/route.ts";
import type { SessionDeps } from "./session-deps.ts";
import { endSessions, notifySessionChange } from "./sessions.table.ts";

export async function endSession(deps: SessionDeps, caller: Identity, sessionId: string): Promise<void> {
  const { userId } = caller;
  const ended = await deps.database.withTransaction({ userId }, (tx) => endSessions(tx, { userId, sessionId }));
  if (ended === 0) throw new Problem("not-found", "Session not found.");
}

export async function endEveryOtherSession(deps: SessionDeps, caller: Identity): Promise<void> {
  await deps.database.withTransaction({ userId: caller.userId }, (tx) => endOtherSessions(tx, caller));
}

/** After a password change, everyone who knew the old one is signed out. */
export async function endOtherSessions(tx: Tx, caller: Identity): Promise<void> {
  await endSessions(tx, { userId: caller.userId, exceptSessionId: caller.sessionId });
}

export async function endAllSessions(tx: Tx, userId: string): Promise<void> {
  await endSessions(tx, { userId });
}

/** Notifies every process to check again what the person's sessions may see. */
export async function announceSessionChange(tx: Tx, userId: string): Promise<void> {
  await notifySessionChange(tx, userId);
}
