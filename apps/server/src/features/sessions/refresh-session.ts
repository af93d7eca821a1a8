import type { Tx } from "../../db/transaction.ts";
import { Problem } from "../../http/problem.ts";
import type { SessionDeps } from "./session-deps.ts";
import { endSessions, findRefreshToken, insertRefreshToken, markRefreshTokenUsed } from "./sessions.table.ts";
import { countAttempts, throttledAddress } from "../attempts/count-attempts.ts";

type Outcome = { userId: string; sessionId: string; refreshToken: string } | "unknown" | "over" | Stolen;

/** A token was used twice, so two parties hold it: the session has been ended. */
interface Stolen {
  stolen: true;
  userId: string;
  sessionId: string;
}

/**
 * Rotates the token. Tabs that refresh at the same time, or one whose response was lost, use a parent twice: within 10
 * s, and while its child is unused, they get the same child. Any other reuse means that two parties have the chain, so
 * the session ends.
 */
export async function refreshSession(
  deps: SessionDeps,
  given: { refreshToken: string; ip: string },
): Promise<{ accessToken: string; refreshToken: string; stolen: false } | Stolen> {
  // Ending a stolen session must be committed, so the outcome is returned here and thrown below.
  const by = throttledAddress(given.ip);
  const outcome = await deps.database.withTransaction({ system: "a refresh token says who it is for", by }, (tx) =>
    rotate(tx, deps, given.refreshToken),
  );
  if (typeof outcome !== "string" && "stolen" in outcome) return outcome;
  if (typeof outcome !== "string") {
    const accessToken = deps.accessTokens.sign(outcome);
    return { accessToken, refreshToken: outcome.refreshToken, stolen: false };
  }
  if (outcome === "unknown") await countUnknownToken(deps, given.ip);
  throw sessionEnded();
}

export const countUnknownToken = ({ database }: Pick<SessionDeps, "database">, ip: string): Promise<void> =>
  countAttempts(database.withTransaction, "unknown refresh token", { by: throttledAddress(ip), most: 200 });

export function sessionEnded(): Problem {
  return new Problem("refresh-token-invalid", "Your session has ended. Log in again.");
}

async function rotate(tx: Tx, deps: SessionDeps, token: string): Promise<Outcome> {
  const hash = deps.refreshTokens.hash(token);
  const found = await findRefreshToken(tx, hash, deps.refreshTokens.acceptedKeyIds);
  if (found === undefined) return "unknown";
  if (!found.alive) return "over";
  const { session_id: sessionId, user_id: userId } = found;
  if (!found.used) {
    const refreshToken = deps.refreshTokens.childOf(token);
    const childHash = deps.refreshTokens.hash(refreshToken);
    await markRefreshTokenUsed(tx, { hash, childHash, sessionId });
    await insertRefreshToken(tx, { hash: childHash, keyId: deps.refreshTokens.keyId, sessionId, userId });
    return { userId, sessionId, refreshToken };
  }
  if (!found.in_grace) {
    await endSessions(tx, { userId, sessionId });
    return { stolen: true, userId, sessionId };
  }
  const refreshToken = deps.refreshTokens.childWithHash(token, found.child_hash);
  return refreshToken === null ? "over" : { userId, sessionId, refreshToken };
}
