import type { Tx } from "../../db/transaction.ts";
import { Problem } from "../../http/problem.ts";
import { announceSessionChange } from "../sessions/end-session.ts";
import { countOwners, deleteMembership, findMember, selectMembershipsOf, takeTurn } from "./members.table.ts";

/**
 * Refused to the only owner of an organisation. Nobody changes their organisations’ members until the transaction ends.
 * Needs the system scope.
 */
export async function refuseOnlyOwner(tx: Tx, userId: string): Promise<void> {
  for (const { organisationId, name } of await selectMembershipsOf(tx, userId)) {
    await takeTurn(tx, organisationId);
    const own = await findMember(tx, { organisationId, userId });
    if (own?.role === "owner" && (await countOwners(tx, organisationId)) === 1)
      throw new Problem(
        "last-owner",
        `You’re the only owner of “${name}”. Make another member an owner, or delete the organisation first.`,
      );
  }
}

/** Needs the system scope. */
export async function leaveEveryOrganisation(tx: Tx, userId: string): Promise<void> {
  for (const { organisationId } of await selectMembershipsOf(tx, userId))
    await deleteMembership(tx, { organisationId, userId });
  await announceSessionChange(tx, userId);
}
