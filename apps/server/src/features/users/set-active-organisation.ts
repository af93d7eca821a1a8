import type { User } from "@leadline/contract/users";
import type { Database } from "../../db/database.ts";
import type { Identity } from "../../http/route.ts";
import { refuseDuringCall } from "../lines/refuse-during-call.ts";
import { requireOrganisation } from "../organisations/find-organisation.ts";
import { announceSessionChange } from "../sessions/end-session.ts";
import type { Tx } from "../../db/transaction.ts";
import { presentSelf } from "./present-user.ts";
import { updateActiveOrganisation } from "./users.table.ts";

export async function setActiveOrganisation(
  database: Database,
  caller: Identity,
  organisationId: string,
): Promise<User> {
  const { userId } = caller;
  return database.withTransaction({ userId }, async (tx) => {
    await requireOrganisation(tx, { userId, organisationId });
    await activateOrganisation(tx, caller, organisationId);
    return presentSelf(tx, userId);
  });
}

/** For an organisation that the person belongs to. Ends their streams of the former one, so they must not be on a call. */
export async function activateOrganisation(tx: Tx, caller: Identity, organisationId: string): Promise<void> {
  // Updating first waits for a call that is just starting; then the check sees it.
  await updateActiveOrganisation(tx, caller.userId, organisationId);
  await refuseDuringCall(tx, caller.userId);
  await announceSessionChange(tx, caller.userId);
}
