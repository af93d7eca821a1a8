import { throttledAddress } from "../attempts/count-attempts.ts";
import { countUnknownToken } from "./refresh-session.ts";
import type { SessionDeps } from "./session-deps.ts";
import { endSessions, findSessionOfToken } from "./sessions.table.ts";

/** Ends the session of any token of its chain. An unknown token or an ended session is not an error. */
export async function logout(
  deps: SessionDeps,
  given: { refreshToken: string; ip: string },
): Promise<{ userId: string } | null> {
  const hash = deps.refreshTokens.hash(given.refreshToken);
  const scope = { system: "a refresh token says whose session to end", by: throttledAddress(given.ip) };
  const ended = await deps.database.withTransaction(scope, async (tx) => {
    const found = await findSessionOfToken(tx, hash);
    if (found === undefined) return null;
    await endSessions(tx, { userId: found.user_id, sessionId: found.session_id });
    return { userId: found.user_id };
  });
  if (ended === null) await countUnknownToken(deps, given.ip);
  return ended;
}
