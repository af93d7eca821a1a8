import type { Role } from "@leadline/contract/organisations";
import type { Database } from "../../db/database.ts";
import type { Tx } from "../../db/transaction.ts";
import { Problem } from "../../http/problem.ts";
import type { Member } from "../../http/route.ts";
import { refuseDuringCall } from "../lines/refuse-during-call.ts";
import { announceSessionChange } from "../sessions/end-session.ts";
import { noSuchMember } from "./change-member-role.ts";
import { deleteMembership, findMember, type Membership, takeTurn } from "./members.table.ts";
import { refuseLastOwner } from "./refuse-last-owner.ts";

/** Removes another member, or leaves. Ends their streams and calls in the organisation. */
export async function removeMember(database: Database, caller: Member, userId: string): Promise<void> {
  const organisationId = caller.organisation.id;
  if (userId === caller.userId) return leaveOrganisation(database, { organisationId, userId });
  await database.withTransaction({ userId: caller.userId, organisationId }, async (tx) => {
    await takeTurn(tx, organisationId);
    const own = await findMember(tx, { organisationId, userId: caller.userId });
    const member = await findMember(tx, { organisationId, userId });
    if (member === undefined) throw noSuchMember();
    if (!mayRemove(own?.role, member.role)) {
      throw new Problem(
        "not-allowed",
        member.role === "owner" ? "Only an owner can remove an owner." : "Only an admin or owner can remove members.",
      );
    }
    await remove(tx, { organisationId, userId }, member.role);
  });
}

/** Leaving is the member's own choice, so it is refused until they have hung up. */
export async function leaveOrganisation(database: Database, key: Membership): Promise<void> {
  await database.withTransaction(key, async (tx) => {
    await takeTurn(tx, key.organisationId);
    const own = await findMember(tx, key);
    if (own === undefined) throw new Problem("not-found", "Organisation not found.");
    await refuseDuringCall(tx, key.userId);
    await remove(tx, key, own.role);
  });
}

const mayRemove = (own: Role | undefined, other: Role): boolean =>
  own === "owner" || (own === "admin" && other !== "owner");

async function remove(tx: Tx, key: Membership, role: Role): Promise<void> {
  if (role === "owner") await refuseLastOwner(tx, key.organisationId);
  await deleteMembership(tx, key);
  await announceSessionChange(tx, key.userId);
}
