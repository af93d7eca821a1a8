import type { Database } from "../../../db/database.ts";
import type { MailedLinks } from "../../../mail/mailed-links.ts";
import { endAllSessions } from "../../sessions/end-session.ts";
import { hashPassword } from "../../sessions/hash-password.ts";
import { refuseCommonPassword } from "../../sessions/refuse-common-password.ts";
import { countAttempts, throttledAddress } from "../../attempts/count-attempts.ts";
import { replacePassword } from "../replace-password.ts";
import { linkInvalid } from "./check-reset-link.ts";
import { takePasswordReset } from "./password-resets.table.ts";

/** Ends all sessions of the person, on every device. */
export async function resetPassword(
  deps: { database: Database; links: MailedLinks },
  given: { token: string; password: string; ip: string },
): Promise<{ userId: string }> {
  const { withTransaction } = deps.database;
  // Checked before the link is used up, so that it stays valid for a better password.
  refuseCommonPassword(given.password);
  const by = throttledAddress(given.ip);
  await countAttempts(withTransaction, "reset password", { by, most: 50 });
  const passwordHash = await hashPassword(given.password);
  return withTransaction({ system: "a mailed link says whose password to set", by }, async (tx) => {
    const taken = await takePasswordReset(tx, deps.links.hash(given.token));
    if (taken === undefined) throw linkInvalid();
    await replacePassword(tx, taken.userId, passwordHash);
    await endAllSessions(tx, taken.userId);
    return taken;
  });
}
