import type { Database } from "../../db/database.ts";
import { Problem } from "../../http/problem.ts";
import type { Identity } from "../../http/route.ts";
import { verifyPassword } from "../sessions/hash-password.ts";
import { countAttempts } from "../attempts/count-attempts.ts";
import { findSignIn } from "./users.table.ts";

/** Thrown by a command that requires the user’s password again. `purpose` completes the sentence: "raise a limit". */
export const passwordRequired = (purpose: string): Problem =>
  new Problem("password-required", `Enter your password to ${purpose}.`);

/** Runs `attempt`, and again as confirmed if it threw passwordRequired and `given` is the user’s password. */
export async function confirmedIfRequired<T>(
  database: Pick<Database, "withTransaction">,
  caller: Identity,
  given: string | undefined,
  attempt: (isConfirmed: boolean) => Promise<T>,
): Promise<T> {
  try {
    return await attempt(false);
  } catch (error) {
    if (!(error instanceof Problem && error.code === "password-required")) throw error;
    await confirmPassword(database, caller, { given, otherwise: error });
    return attempt(true);
  }
}

/**
 * Resolves if it is the signed-in person’s password. Without one, throws `otherwise`. People without a password (single
 * sign-on) are told how to set one, because a stolen session must not be enough.
 */
async function confirmPassword(
  { withTransaction }: Pick<Database, "withTransaction">,
  { userId, sessionId }: Identity,
  { given, otherwise }: { given: string | undefined; otherwise: Problem },
): Promise<void> {
  const own = await withTransaction({ userId }, (tx) => findSignIn(tx, { id: userId }));
  if (own === undefined)
    throw new Problem(
      "not-allowed",
      `${otherwise.message} You don’t have one yet because you use single sign-on. To set one, use Forgot your password on the login page.`,
    );
  if (given === undefined) throw otherwise;
  if (!(await isPassword(withTransaction, { sessionId, given, hash: own.hash }))) throw incorrectPassword();
}

export const incorrectPassword = (): Problem => new Problem("wrong-credentials", "Incorrect current password.");

/** Counted per session, so that someone with a stolen session can’t stop its person from changing the password. */
export async function isPassword(
  withTransaction: Database["withTransaction"],
  { sessionId, given, hash }: { sessionId: string; given: string; hash: string | null },
): Promise<boolean> {
  await countAttempts(withTransaction, "current password", { by: sessionId, most: 20 });
  return verifyPassword(given, hash);
}
