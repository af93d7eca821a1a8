import { z } from "zod";
import type { Database } from "../../../db/database.ts";
import { defineJob, type Job } from "../../../jobs/define-job.ts";
import { composeMail } from "../../../mail/compose-mail.ts";
import type { Mailer } from "../../../mail/create-mailer.ts";
import { mailRetries } from "../../../mail/mail-retries.ts";
import type { MailedLinks } from "../../../mail/mailed-links.ts";
import { deleteOldBreaches, findBreachMail, takeBreachesToMail } from "./breaches.table.ts";

const Data = z.object({ breachId: z.uuid(), userId: z.uuid() });
type MailBreachJob = Job<typeof Data>;
type FoundBreach = NonNullable<Awaited<ReturnType<typeof findBreachMail>>>;

/** Mails one owner about a limit that refused or ended a member’s call. */
export const mailBreachJob = (deps: {
  database: Database;
  mailer: Mailer;
  links: Pick<MailedLinks, "page">;
}): MailBreachJob =>
  defineJob({
    name: "mail-limit-breach",
    schema: Data,
    ...mailRetries,
    async run(breach) {
      const scope = { system: "a mail to an owner, who may act elsewhere" };
      const found = await deps.database.withTransaction(scope, (tx) => findBreachMail(tx, breach));
      if (found === null) return;
      const { subject, paragraphs } = describe(found);
      const mail = composeMail({
        to: found.email,
        subject,
        greeting: `Hello ${found.firstName},`,
        paragraphs: [
          ...paragraphs,
          "If you don’t expect this call, ask them to change their password and to end their other sessions.",
        ],
        action: { label: "Open Limits", url: await deps.links.page("/settings/limits") },
        foot: "You receive this email because you own the organisation. It is sent at most once a day for each limit and member, however many calls are refused or ended.",
      });
      await deps.mailer.send(mail);
    },
  });

/** `detail` is the sentence that the member saw if the call was refused, and otherwise says why it was ended. */
function describe({ ended, memberName, organisationName, phoneNumber, detail }: FoundBreach) {
  if (ended) {
    const withWhom = phoneNumber === "" ? "" : ` with ${phoneNumber}`;
    const was = `${memberName} of “${organisationName}” was in a call${withWhom} that Leadline ended.`;
    return { subject: "Leadline ended a call over a limit", paragraphs: [was, detail] };
  }
  const was = `A call to ${phoneNumber} by ${memberName} of “${organisationName}” was refused. Leadline told them:`;
  return { subject: "Leadline refused a call over a limit", paragraphs: [was, `“${detail}”`] };
}

/** Orders the mails in the transaction that records them as ordered, so that each owner gets only one. */
export const orderBreachMailsJob = (database: Database, job: MailBreachJob) =>
  defineJob({
    name: "order-limit-breach-mails",
    schema: z.object({}),
    cron: "* * * * *",
    run: (_, jobs) =>
      database.withTransaction({ system: "find breaches that owners weren't mailed about" }, async (tx) => {
        for (const breach of await takeBreachesToMail(tx)) await jobs.enqueue(tx, job, breach);
      }),
  });

export const pruneBreachesJob = (database: Database) =>
  defineJob({
    name: "prune-limit-breaches",
    schema: z.object({}),
    cron: "41 3 * * *",
    run: () => database.withTransaction({ system: "old breaches of every organisation" }, deleteOldBreaches),
  });
