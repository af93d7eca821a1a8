import { randomUUID } from "node:crypto";
import type { Tx } from "../../db/transaction.ts";
import type { Origin, SessionDeps } from "./session-deps.ts";
import { insertSession } from "./sessions.table.ts";

interface StartedSession {
  id: string;
  userId: string;
  refreshToken: string;
}

/** The response to a login. */
export interface SignedIn {
  userId: string;
  token: string;
  refreshToken: string;
}

/** For a person who has just authenticated. */
export async function startSession(
  tx: Tx,
  deps: Pick<SessionDeps, "refreshTokens">,
  userId: string,
  origin: Origin,
): Promise<StartedSession> {
  const session = { id: randomUUID(), userId };
  const refreshToken = deps.refreshTokens.first();
  await insertSession(tx, {
    ...session,
    ipAddress: origin.ip,
    userAgent: origin.userAgent,
    tokenHash: deps.refreshTokens.hash(refreshToken),
    keyId: deps.refreshTokens.keyId,
  });
  return { ...session, refreshToken };
}

export const signIn = (deps: Pick<SessionDeps, "accessTokens">, session: StartedSession): SignedIn => ({
  userId: session.userId,
  token: deps.accessTokens.sign({ userId: session.userId, sessionId: session.id }),
  refreshToken: session.refreshToken,
});
