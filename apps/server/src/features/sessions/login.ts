import { Problem } from "../../http/problem.ts";
import { throttledAddress } from "../attempts/count-attempts.ts";
import { findPersonSigningIn } from "../users/find-person-signing-in.ts";
import { verifyPassword } from "./hash-password.ts";
import type { Origin, SessionDeps } from "./session-deps.ts";
import { type SignedIn, signIn, startSession } from "./start-session.ts";
import { countSignInAttempt } from "./sign-in-throttle.ts";

/** Only the log says why a sign-in failed. The response is the same for every account. */
interface Refused {
  problem: Problem;
  userId: string | null;
}

/** An unknown email, a wrong password and a disabled user get the same response after the same time. */
export async function login(
  deps: SessionDeps,
  given: { email: string; password: string },
  origin: Origin,
): Promise<SignedIn | Refused> {
  const { withTransaction } = deps.database;
  const forgive = await countSignInAttempt(withTransaction, { email: given.email, ip: origin.ip });
  const by = throttledAddress(origin.ip);
  const found = await withTransaction({ system: "no one is signed in yet", by }, (tx) =>
    findPersonSigningIn(tx, { email: given.email }),
  );
  const right = await verifyPassword(given.password, found?.hash ?? null);
  if (!right || found === undefined || found.disabled_at !== null) {
    const detail = "Incorrect email or password.";
    return { problem: new Problem("wrong-credentials", detail), userId: found?.id ?? null };
  }
  const session = await withTransaction({ system: "start a session and forgive its attempt", by }, async (tx) => {
    const started = await startSession(tx, deps, found.id, origin);
    await forgive(tx);
    return started;
  });
  return signIn(deps, session);
}
