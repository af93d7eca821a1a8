import type { SessionDeps } from "./session-deps.ts";
import { endSessions, findSessionOfToken } from "./sessions.table.ts";

/** Ends the session of any token of its chain. An unknown token or an ended session is not an error. */
export async function logout(deps: SessionDeps, refreshToken: string): Promise<{ userId: string } | null> {
  const hash = deps.refreshTokens.hash(refreshToken);
  return deps.database.withTransaction({ system: "a refresh token says whose session to end" }, async (tx) => {
    const found = await findSessionOfToken(tx, hash);
    if (found === undefined) return null;
    await endSessions(tx, { userId: found.user_id, sessionId: found.session_id });
    return { userId: found.user_id };
  });
}
