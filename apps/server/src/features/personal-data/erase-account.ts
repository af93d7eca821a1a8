import { Problem } from "../../http/problem.ts";
import type { Identity } from "../../http/route.ts";
import { refuseDuringCall } from "../lines/refuse-during-call.ts";
import { leaveEveryOrganisation, refuseOnlyOwner } from "../members/leave-every-organisation.ts";
import { confirmedIfRequired, passwordRequired } from "../users/confirm-password.ts";
import { erasePerson, lockPerson } from "./erase-account.table.ts";
import type { ErasureDeps } from "./erase-lead.ts";
import { pauseAuditLog, resumeAuditLog } from "./pause-audit-log.table.ts";

/**
 * The signed-in person's account, in one transaction. Its row stays as "Deleted user" for the calls, notes and payments
 * that refer to it.
 */
export async function eraseAccount(
  { database, jobs, removeStoredFiles }: ErasureDeps,
  caller: Identity,
  { currentPassword }: { currentPassword?: string | undefined },
): Promise<void> {
  const { userId } = caller;
  const scope = { system: "an account is erased from every organisation" };
  await confirmedIfRequired(database, caller, currentPassword, (confirmed) =>
    database.withTransaction(scope, async (tx) => {
      await refuseOnlyOwner(tx, userId);
      // Waits for a call that is being started.
      if (!(await lockPerson(tx, userId))) throw new Problem("not-found", "Your account no longer exists.");
      await refuseDuringCall(tx, userId, "delete your account");
      if (!confirmed) throw passwordRequired("delete your account for good");
      const audit = await pauseAuditLog(tx);
      const storedNames = await erasePerson(tx, userId);
      // Each organisation's log says that a member deleted their account, without name and address.
      await resumeAuditLog(tx, audit);
      await leaveEveryOrganisation(tx, userId);
      if (storedNames.length > 0) await jobs.enqueue(tx, removeStoredFiles, { storedNames });
    }),
  );
}
