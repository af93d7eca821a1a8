import { randomUUID } from "node:crypto";
import type { Invitation, SentInvitation } from "@leadline/contract/members";
import type { Database } from "../../db/database.ts";
import { readableEmail } from "../users/readable-email.ts";
import { Problem } from "../../http/problem.ts";
import type { Member } from "../../http/route.ts";
import type { Jobs } from "../../jobs/run-jobs.ts";
import type { Mailer } from "../../mail/create-mailer.ts";
import type { MailedLinks } from "../../mail/mailed-links.ts";
import { countDaily, isWithinDaily } from "../attempts/count-daily.ts";
import { countAttempts } from "../attempts/count-attempts.ts";
import { confirmedIfMayRaiseLimits } from "./confirmed-if-may-raise-limits.ts";
import { insertInvitation } from "./invitations.table.ts";
import type { MailInvitationJob } from "./mail-invitation.ts";
import { hasMemberWithEmail } from "./members.table.ts";

export interface MemberDeps {
  database: Database;
  jobs: Pick<Jobs, "enqueue">;
  links: MailedLinks;
  mailInvitation: MailInvitationJob;
  mailer: Pick<Mailer, "delivers">;
}

/** Each invitation is an unsolicited mail. The strictest limit comes first. */
const dailyLimits = ({ userId, organisation }: Member) => [
  { by: `user:${userId}`, most: 50, sentence: "You can send 50 invitations a day." },
  { by: `in:${organisation.id}`, most: 100, sentence: "Your organisation can send 100 invitations a day." },
];

interface Wish {
  email: string;
  role: Invitation["role"];
}

/** To invite an admin takes the caller’s password. */
export const inviteMember = (
  deps: MemberDeps,
  caller: Member,
  { currentPassword, ...wish }: Wish & { currentPassword?: string | undefined },
): Promise<SentInvitation> =>
  confirmedIfMayRaiseLimits(deps.database, caller, currentPassword, async (grant) => {
    grant(wish.role);
    return sendInvitation(deps, caller, wish);
  });

async function sendInvitation(deps: MemberDeps, caller: Member, wish: Wish): Promise<SentInvitation> {
  const { withTransaction } = deps.database;
  const organisationId = caller.organisation.id;
  const perPerson = { by: `${organisationId}:${wish.email}`, most: 5 };
  await countAttempts(withTransaction, "invite", perPerson);
  await countDaily(withTransaction, "invite", ...dailyLimits(caller));
  // Only the mail is left out: strangers' invitations must not keep an organisation from inviting its own people.
  const mayMail = await isWithinDaily(withTransaction, "invite", { by: `to:${wish.email}`, most: 10 });
  return withTransaction({ userId: caller.userId, organisationId }, async (tx) => {
    if (await hasMemberWithEmail(tx, { organisationId, email: wish.email })) {
      throw new Problem("already-member", `${readableEmail(wish.email)} is already a member of the organisation.`);
    }
    const id = randomUUID();
    const tokenHash = deps.links.hash(deps.links.tokenOf("invitation", id));
    const invitation = await insertInvitation(tx, { id, organisationId, ...wish, tokenHash, invitedBy: caller.userId });
    if (mayMail) await deps.jobs.enqueue(tx, deps.mailInvitation, { invitationId: id });
    return { ...invitation, delivered: mayMail && deps.mailer.delivers, mailedOften: !mayMail };
  });
}
