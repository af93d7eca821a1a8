import { z } from "zod";
import type { Database } from "../../db/database.ts";
import { defineJob, type Job } from "../../jobs/define-job.ts";
import { composeMail } from "../../mail/compose-mail.ts";
import type { Mailer } from "../../mail/create-mailer.ts";
import { mailRetries } from "../../mail/mail-retries.ts";
import type { MailedLinks } from "../../mail/mailed-links.ts";
import { findMailedFollowUps } from "./follow-up-reminders.table.ts";

const Data = z.object({
  organisationId: z.uuid(),
  userId: z.uuid(),
  count: z.int(),
  leadIds: z.array(z.uuid()),
  phoneNumbers: z.array(z.string()),
});
export type MailFollowUpsJob = Job<typeof Data>;

/** The mail only counts the rest. */
const maxListed = 20;

/** Reminds a user without an open page of their follow-ups, unless they are done by now. */
export const mailFollowUpsJob = (deps: {
  database: Database;
  mailer: Mailer;
  links: Pick<MailedLinks, "page">;
}): MailFollowUpsJob =>
  defineJob({
    name: "mail-follow-ups",
    schema: Data,
    ...mailRetries,
    async run(mailed) {
      const scope = { system: "a mail to a member, who may act elsewhere", by: mailed.organisationId };
      const found = await deps.database.withTransaction(scope, (tx) => findMailedFollowUps(tx, mailed));
      const [first, second] = found?.followUps ?? [];
      if (!found || !first) return;
      const { email, firstName, organisationName, timeZone, followUps } = found;
      const more =
        mailed.count - mailed.leadIds.length - mailed.phoneNumbers.length + followUps.slice(maxListed).length;
      const mail = composeMail({
        to: email,
        subject: second ? `${followUps.length + more} callbacks are due` : `Call back ${calleeOf(first)}`,
        greeting: `Hello ${firstName},`,
        paragraphs: [
          `It’s time to call back in “${organisationName}”:`,
          ...followUps.slice(0, maxListed).map(lineOf),
          ...(more > 0 ? [`And ${more} more.`] : []),
          ...(followUps.some(({ followUpTime }) => followUpTime !== null) ? [`Times are in ${timeZone}.`] : []),
        ],
        action: { label: "Open callbacks", url: await deps.links.page("/calls?tab=call-back") },
        foot: "You receive this email because these callbacks are yours and Leadline wasn’t open when they came due.",
      });
      await deps.mailer.send(mail);
    },
  });

type Listed = { name: string; phoneNumber: string | null; followUpTime: string | null };
const calleeOf = ({ name, phoneNumber }: Listed): string => name || (phoneNumber ?? "a lead");
const lineOf = ({ name, phoneNumber, followUpTime }: Listed): string =>
  [followUpTime, name, phoneNumber].filter(Boolean).join(" · ");
