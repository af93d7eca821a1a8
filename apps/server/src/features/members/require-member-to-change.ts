import type { Member as ListedMember } from "@leadline/contract/members";
import type { Tx } from "../../db/transaction.ts";
import { Problem } from "../../http/problem.ts";
import type { Member } from "../../http/route.ts";
import { noSuchMember } from "./change-member-role.ts";
import { findMember, takeTurn } from "./members.table.ts";

/** The member. Refuses an admin who would change an owner. Locks both roles until the transaction ends. */
export async function requireMemberToChange(tx: Tx, caller: Member, userId: string): Promise<ListedMember> {
  const organisationId = caller.organisation.id;
  await takeTurn(tx, organisationId);
  const own = await findMember(tx, { organisationId, userId: caller.userId });
  const member = await findMember(tx, { organisationId, userId });
  if (member === undefined) throw noSuchMember();
  if (own?.role !== "owner" && (member.role === "owner" || own?.role !== "admin"))
    throw new Problem("not-allowed", "Only an owner can change an owner’s limits.");
  return member;
}
