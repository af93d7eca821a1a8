import type { Invitation, Member as MemberEntry } from "@leadline/contract/members";
import type { Database } from "../../db/database.ts";
import type { Member } from "../../http/route.ts";
import { scopeOf } from "../../http/scope-of.ts";
import { selectInvitations } from "./invitations.table.ts";
import { findMember, type Membership, selectMembers } from "./members.table.ts";

export const listMembers = (database: Database, caller: Member): Promise<MemberEntry[]> =>
  database.withTransaction(scopeOf(caller), (tx) => selectMembers(tx, caller.organisation.id));

export const listInvitations = (database: Database, caller: Member): Promise<Invitation[]> =>
  database.withTransaction(scopeOf(caller), (tx) => selectInvitations(tx, caller.organisation.id));

/** Whether the user is a member of that organisation, and not a read-only analyst. */
export const mayTakeCalls = (database: Database, key: Membership): Promise<boolean> =>
  database.withTransaction(key, async (tx) => {
    const member = await findMember(tx, key);
    return member !== undefined && member.role !== "analyst";
  });
