import { isAdmin } from "@leadline/contract/organisations";
import type { Database } from "../../db/database.ts";
import { Problem } from "../../http/problem.ts";
import type { Member } from "../../http/route.ts";
import { deleteDoNotCall, findDoNotCall } from "./do-not-call.table.ts";

/** Someone asked not to be called, so only the person who added the entry, or an admin, can remove it. */
export async function removeFromDoNotCall(database: Database, caller: Member, phoneNumber: string): Promise<void> {
  const organisationId = caller.organisation.id;
  await database.withTransaction({ organisationId, userId: caller.userId }, async (tx) => {
    const entry = await findDoNotCall(tx, { organisationId, phoneNumber });
    if (!entry) throw new Problem("not-found", "This number is not on your organisation’s do-not-call list.");
    if (entry.userId !== caller.userId && !isAdmin(caller.organisation.role))
      throw new Problem("not-allowed", `Only ${entry.userName}, who added it, or an admin can remove it.`);
    await deleteDoNotCall(tx, { organisationId, phoneNumber });
  });
}
