import type { Tx } from "../../db/transaction.ts";
import { Problem } from "../../http/problem.ts";
import { announceSessionChange } from "../sessions/end-session.ts";
import { deleteInvitations } from "./invitations.table.ts";
import { countOwners, deleteMemberships, findMember, type Membership, takeTurn } from "./members.table.ts";

/** Locks the organisation's members until the transaction ends. */
export async function holdAsOnlyOwner(tx: Tx, key: Membership): Promise<void> {
  await takeTurn(tx, key.organisationId);
  const own = await findMember(tx, key);
  if (own === undefined) throw new Problem("not-found", "Organisation not found.");
  if (own.role !== "owner") throw new Problem("not-allowed", "Only an owner can delete an organisation.");
  if ((await countOwners(tx, key.organisationId)) > 1)
    throw new Problem(
      "organisation-in-use",
      "It has other owners. Make them admins or members first: only a sole owner can delete an organisation.",
    );
}

/** Every member loses it at once, and its invitations stop working. */
export async function removeAllMembers(tx: Tx, organisationId: string): Promise<void> {
  await deleteInvitations(tx, organisationId);
  for (const userId of await deleteMemberships(tx, organisationId)) await announceSessionChange(tx, userId);
}
