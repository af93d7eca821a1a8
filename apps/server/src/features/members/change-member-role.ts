import type { Member as MemberEntry } from "@leadline/contract/members";
import type { Role } from "@leadline/contract/organisations";
import type { Database } from "../../db/database.ts";
import { Problem } from "../../http/problem.ts";
import type { Member } from "../../http/route.ts";
import { announceOrganisation } from "../organisations/announce-organisation.ts";
import { requireOrganisation } from "../organisations/find-organisation.ts";
import { announceSessionChange } from "../sessions/end-session.ts";
import { confirmedIfMayRaiseLimits } from "./confirmed-if-may-raise-limits.ts";
import { findMember, takeTurn, updateRole } from "./members.table.ts";
import { refuseLastOwner } from "./refuse-last-owner.ts";

/** Only owners appoint or demote owners. Making someone an admin or owner takes the caller’s password. */
export async function changeMemberRole(
  database: Database,
  caller: Member,
  wish: { userId: string; role: Role; currentPassword?: string | undefined },
): Promise<MemberEntry> {
  const organisationId = caller.organisation.id;
  const key = { organisationId, userId: wish.userId };
  return confirmedIfMayRaiseLimits(database, caller, wish.currentPassword, (grant) =>
    database.withTransaction({ userId: caller.userId, organisationId }, async (tx) => {
      await takeTurn(tx, organisationId);
      // Read again under the lock: the caller's own role may have just changed.
      const [own, member] = [
        await findMember(tx, { organisationId, userId: caller.userId }),
        await findMember(tx, key),
      ];
      if (member === undefined) throw noSuchMember();
      if (own?.role !== "owner" && (member.role === "owner" || wish.role === "owner" || own?.role !== "admin")) {
        throw new Problem("not-allowed", "Only an owner can add an owner or change an owner’s role.");
      }
      grant(wish.role, member.role);
      if (member.role === "owner" && wish.role !== "owner") await refuseLastOwner(tx, organisationId);
      await updateRole(tx, key, wish.role);
      // The change decides whether calls ring for them: an analyst takes none.
      if ((member.role === "analyst") !== (wish.role === "analyst")) await announceSessionChange(tx, wish.userId);
      await announceOrganisation(tx, await requireOrganisation(tx, { userId: caller.userId, organisationId }));
      return { ...member, role: wish.role };
    }),
  );
}

export const noSuchMember = (): Problem => new Problem("not-found", "Member not found.");
