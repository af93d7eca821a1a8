import { z } from "zod";
import type { Database } from "../../db/database.ts";
import { defineJob, type Job } from "../../jobs/define-job.ts";
import { composeMail } from "../../mail/compose-mail.ts";
import type { Mailer } from "../../mail/create-mailer.ts";
import { mailRetries } from "../../mail/mail-retries.ts";
import type { MailedLinks } from "../../mail/mailed-links.ts";
import { findInvitation, noteMail, setTokenHash } from "./invitations.table.ts";

const Data = z.object({ invitationId: z.uuid() });
export type MailInvitationJob = Job<typeof Data>;

/** An invitation withdrawn before its mail is sent isn't mailed. */
export const mailInvitationJob = (deps: {
  database: Database;
  mailer: Mailer;
  links: MailedLinks;
}): MailInvitationJob =>
  defineJob({
    name: "mail-invitation",
    schema: Data,
    ...mailRetries,
    async run({ invitationId }) {
      const scope = { system: "an invitation's receiver belongs to no organisation yet" };
      const token = deps.links.tokenOf("invitation", invitationId);
      const invitation = await deps.database.withTransaction(scope, async (tx) => {
        // Hashes it again, since the secret key may have been replaced while the mail was queued.
        const isOpen = await setTokenHash(tx, { id: invitationId, tokenHash: deps.links.hash(token) });
        return isOpen ? findInvitation(tx, { id: invitationId }) : undefined;
      });
      if (invitation === undefined) return;
      const { organisationName, invitedBy } = invitation;
      const url = await deps.links.url("/invitation", token);
      const mail = composeMail({
        to: invitation.email,
        // Contains only our own text: a stranger receives it, and a name can be any text.
        subject: "Your invitation to Leadline",
        greeting: "Hello,",
        paragraphs: [
          `${invitedBy ?? "A colleague"} invites you to “${organisationName}” on Leadline, the phone in your browser.`,
          "Use the link to join with your existing account or a new one.",
        ],
        action: { label: "Open the invitation", url },
        foot: "The link works once, within seven days. If you don’t know who sent it, ignore this email.",
      });
      const note = (failed: boolean) =>
        deps.database.withTransaction(scope, (tx) => noteMail(tx, { id: invitationId, failed }));
      try {
        await deps.mailer.send(mail);
      } catch (error) {
        await note(true);
        throw error;
      }
      await note(false);
    },
  });
