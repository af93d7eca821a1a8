import type { UpdateUserInput, User } from "@leadline/contract/users";
import type { z } from "zod";
import type { Database } from "../../db/database.ts";
import { Problem } from "../../http/problem.ts";
import { invalidInput } from "../../http/read-input.ts";
import type { Identity } from "../../http/route.ts";
import { voidResets } from "./password-reset/password-resets.table.ts";
import { endOtherSessions } from "../sessions/end-session.ts";
import { hashPassword } from "../sessions/hash-password.ts";
import { refuseCommonPassword } from "../sessions/refuse-common-password.ts";
import { getUser } from "./get-user.ts";
import { presentSelf } from "./present-user.ts";
import { incorrectPassword, isPassword } from "./confirm-password.ts";
import { emailTaken } from "./email-taken.ts";
import { emailIsFree, findSignIn, findUser, updateNames, updatePassword } from "./users.table.ts";

type Change = z.output<typeof UpdateUserInput>;

/** Only the caller themselves. Changing email or password needs the current password. */
export async function updateUser(database: Database, caller: Identity, id: string, change: Change): Promise<User> {
  const { userId } = caller;
  if (id !== userId) {
    await getUser(database, caller, id);
    throw new Problem("not-allowed", "You can change only your own details.");
  }
  const own = await database.withTransaction({ userId }, (tx) => findUser(tx, userId));
  const changesEmail = change.email !== undefined && change.email !== own?.email;
  if (changesEmail || change.password !== undefined) await checkCurrentPassword(database, caller, change);
  if (change.password !== undefined) refuseCommonPassword(change.password);
  const hash = change.password === undefined ? undefined : await hashPassword(change.password);
  if (changesEmail && change.email !== undefined) await requireFreeEmail(database, userId, change.email);
  try {
    return await database.withTransaction({ userId }, async (tx) => {
      await updateNames(tx, userId, change);
      if (hash !== undefined) {
        await updatePassword(tx, userId, hash);
        await endOtherSessions(tx, caller);
      }
      if (changesEmail || hash !== undefined) await voidResets(tx, userId);
      return presentSelf(tx, userId);
    });
  } catch (error) {
    // Somebody has taken it since the check.
    if (error instanceof Error && "constraint" in error && error.constraint === "users_email_key") throw emailTaken();
    throw error;
  }
}

async function checkCurrentPassword(
  database: Database,
  { userId, sessionId }: Identity,
  change: Change,
): Promise<void> {
  if (change.currentPassword === undefined) {
    throw invalidInput([{ path: ["currentPassword"], message: "Enter your current password." }]);
  }
  const row = await database.withTransaction({ userId }, (tx) => findSignIn(tx, { id: userId }));
  const asked = { sessionId, given: change.currentPassword, hash: row?.hash ?? null };
  if (await isPassword(database.withTransaction, asked)) return;
  if (row === undefined)
    throw new Problem(
      "wrong-credentials",
      "You don’t have a password yet because you use single sign-on. To set one, use Forgot your password on the login page.",
    );
  throw incorrectPassword();
}

async function requireFreeEmail(database: Database, userId: string, email: string): Promise<void> {
  const scope = { system: "whether an email is taken, in any organisation" };
  if (!(await database.withTransaction(scope, (tx) => emailIsFree(tx, { email, userId })))) throw emailTaken();
}
