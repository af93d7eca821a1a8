import * as contract from "@leadline/contract/members";
import { addressOf } from "../../http/address-of.ts";
import { type Route, route } from "../../http/route.ts";
import { acceptInvitation, type JoinHook, readInvitation } from "./accept-invitation.ts";
import { changeMemberRole } from "./change-member-role.ts";
import { inviteMember, type MemberDeps } from "./invite-member.ts";
import { listInvitations, listMembers } from "./list-members.ts";
import { readInvitationLink } from "./read-invitation-link.ts";
import { leaveOrganisation, removeMember } from "./remove-member.ts";
import { withdrawInvitation } from "./withdraw-invitation.ts";

export function memberRoutes(deps: MemberDeps & JoinHook): Route[] {
  const { database } = deps;
  return [
    route(contract.listMembers, ({ caller }) => listMembers(database, caller)),
    route(contract.updateMember, ({ caller, params, body }) =>
      changeMemberRole(database, caller, { userId: params.userId, ...body }),
    ),
    route(contract.removeMember, ({ caller, params }) =>
      removeMember(database, caller, params.userId).then(() => undefined),
    ),
    route(contract.leaveOrganisation, ({ caller, params }) =>
      leaveOrganisation(database, { userId: caller.userId, organisationId: params.id }).then(() => undefined),
    ),
    route(contract.listInvitations, ({ caller }) => listInvitations(database, caller)),
    route(contract.inviteMember, ({ caller, body }) => inviteMember(deps, caller, body)),
    route(contract.withdrawInvitation, ({ caller, params }) =>
      withdrawInvitation(database, caller, params.id).then(() => undefined),
    ),
    route(contract.readInvitationLink, ({ caller, params, body }) =>
      readInvitationLink(deps, caller, { id: params.id, ...body }),
    ),
    route(contract.readInvitation, ({ body, request }) =>
      readInvitation(deps, { token: body.token, ip: addressOf(request) }),
    ),
    route(contract.acceptInvitation, ({ caller, body, request }) =>
      acceptInvitation(deps, caller, { token: body.token, ip: addressOf(request) }),
    ),
  ];
}
