import { z } from "zod";
import { endpoint } from "./endpoint.ts";
import { Id, IdParams, Timestamp } from "./identifiers.ts";
import { Role } from "./organisations.ts";
import { CurrentPassword, MailedToken } from "./passwords.ts";
import { LoginInput } from "./sessions.ts";

export const Member = z.object({
  userId: Id,
  firstName: z.string(),
  lastName: z.string(),
  email: z.string(),
  role: Role,
  createdAt: Timestamp.describe("When they joined"),
});
export type Member = z.infer<typeof Member>;

const InvitedRole = Role.exclude(["owner"]);
export const Invitation = z.object({
  id: Id,
  email: z.string(),
  role: InvitedRole,
  createdAt: Timestamp,
  expiresAt: Timestamp,
  mailFailed: z.boolean().optional().describe("Its mail couldn't be sent so far; it is retried for some hours"),
});
export type Invitation = z.infer<typeof Invitation>;
export const SentInvitation = Invitation.extend({
  delivered: z
    .boolean()
    .describe("False if this server has no mail server, so that the mail is a file in its data folder, or mailedOften"),
  mailedOften: z.boolean().describe("The address has been sent ten invitations in a day, so this one wasn't mailed"),
});
export type SentInvitation = z.infer<typeof SentInvitation>;

/** An admin or owner can raise limits, so whoever makes one needs the password that raising a limit needs. */
const confirmationProblems = ["password-required", "wrong-credentials", "too-many-attempts"] as const;

const MemberParams = z.object({ userId: Id });

export const listMembers = endpoint({
  method: "GET",
  path: "/v1/members",
  summary: "List the members of your active organisation",
  access: "analyst",
  audit: null,
  success: [200, z.array(Member)],
  problems: [],
});
export const updateMember = endpoint({
  method: "PUT",
  path: "/v1/members/{userId}",
  summary:
    "Change a member’s role; only an owner can make or change owners, and making an admin or owner needs your password",
  access: "admin",
  audit: "member.role-changed",
  params: MemberParams,
  body: z.object({ role: Role, currentPassword: CurrentPassword }),
  success: [200, Member],
  problems: ["not-found", "not-allowed", "last-owner", ...confirmationProblems],
});
export const removeMember = endpoint({
  method: "DELETE",
  path: "/v1/members/{userId}",
  summary: "Remove a member (needs an admin, or an owner for an owner), or leave yourself",
  access: "member",
  audit: "member.removed",
  params: MemberParams,
  success: [204, null],
  problems: ["not-found", "not-allowed", "last-owner", "call-in-progress"],
});
export const leaveOrganisation = endpoint({
  method: "POST",
  path: "/v1/organisations/{id}/leave",
  summary: "Leave an organisation, active or not",
  access: "signed-in",
  audit: "member.left",
  params: IdParams,
  success: [204, null],
  problems: ["not-found", "last-owner", "call-in-progress"],
});

export const listInvitations = endpoint({
  method: "GET",
  path: "/v1/invitations",
  summary: "List the open invitations",
  access: "admin",
  audit: null,
  success: [200, z.array(Invitation)],
  problems: [],
});
export const InviteMemberInput = LoginInput.pick({ email: true }).extend({
  role: InvitedRole,
  currentPassword: CurrentPassword,
});
export const inviteMember = endpoint({
  method: "POST",
  path: "/v1/invitations",
  summary:
    "Invite someone by mail, for seven days; a second invitation replaces the first. An admin’s needs your password",
  access: "admin",
  audit: "member.invited",
  body: InviteMemberInput,
  success: [201, SentInvitation],
  problems: ["already-member", "not-allowed", ...confirmationProblems],
});
export const withdrawInvitation = endpoint({
  method: "DELETE",
  path: "/v1/invitations/{id}",
  summary: "Withdraw an invitation",
  access: "admin",
  audit: "member.invitation-withdrawn",
  params: IdParams,
  success: [204, null],
  problems: ["not-found"],
});

export const readInvitationLink = endpoint({
  method: "POST",
  path: "/v1/invitations/{id}/link",
  summary:
    "Read the link of an open invitation, to send yourself: the one in its mail, which works once. An admin’s needs your password",
  access: "admin",
  audit: "member.invitation-link-read",
  params: IdParams,
  body: z.object({ currentPassword: CurrentPassword }),
  success: [200, z.object({ url: z.url() })],
  problems: ["not-found", "not-allowed", ...confirmationProblems],
});

const InvitationToken = z.object({ token: MailedToken });
export const ReadInvitation = z.object({
  organisationName: z.string(),
  email: z.string(),
  role: InvitedRole,
  invitedBy: z.string().nullable().describe("The person's name; null once they are gone"),
});
export type ReadInvitation = z.infer<typeof ReadInvitation>;
export const readInvitation = endpoint({
  method: "POST",
  path: "/v1/invitations/read",
  summary: "Read the invitation of a mailed link",
  access: "public",
  audit: null,
  body: InvitationToken,
  success: [200, ReadInvitation],
  problems: ["link-invalid", "too-many-attempts"],
});
export const acceptInvitation = endpoint({
  method: "POST",
  path: "/v1/invitations/accept",
  summary: "Join the organisation of a mailed invitation; it becomes the active one",
  access: "signed-in",
  audit: "member.joined",
  body: InvitationToken,
  success: [200, z.object({ organisationId: Id })],
  problems: ["link-invalid", "call-in-progress", "too-many-attempts"],
});
