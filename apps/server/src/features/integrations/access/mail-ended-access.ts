import { z } from "zod";
import type { Database } from "../../../db/database.ts";
import { defineJob, type Job } from "../../../jobs/define-job.ts";
import { composeMail } from "../../../mail/compose-mail.ts";
import type { Mailer } from "../../../mail/create-mailer.ts";
import { mailRetries } from "../../../mail/mail-retries.ts";
import type { MailedLinks } from "../../../mail/mailed-links.ts";
import { findEndedAccess, takeEndedAccess } from "./ended-access.table.ts";

const Data = z.object({ integrationId: z.uuid(), userId: z.uuid() });
type MailEndedAccessJob = Job<typeof Data>;

/** Mails an owner that a CRM must be reconnected, unless it has been. */
export const mailEndedAccessJob = (deps: {
  database: Database;
  mailer: Mailer;
  links: Pick<MailedLinks, "page">;
  nameOfCrm: (service: string) => string;
}): MailEndedAccessJob =>
  defineJob({
    name: "mail-ended-access",
    schema: Data,
    ...mailRetries,
    async run(ended) {
      const scope = { system: "a mail to an owner, who may act elsewhere" };
      const found = await deps.database.withTransaction(scope, (tx) => findEndedAccess(tx, ended));
      if (found === null) return;
      const { email, firstName, label, service, organisationName } = found;
      const crm = deps.nameOfCrm(service);
      const mail = composeMail({
        to: email,
        subject: `Reconnect ${crm} to Leadline`,
        greeting: `Hello ${firstName},`,
        paragraphs: [
          `${crm} no longer accepts Leadline’s access to “${label}” of “${organisationName}”.`,
          "Until you connect it again, leads don’t sync and finished calls wait. Nothing is lost.",
        ],
        action: { label: "Open Integrations", url: await deps.links.page("/integrations") },
        foot: "You receive this email because you own the organisation. It is sent once each time access ends.",
      });
      await deps.mailer.send(mail);
    },
  });

/** Orders the mails in the transaction that records them as ordered, so that each owner gets only one. */
export const orderEndedAccessMailsJob = (database: Database, job: MailEndedAccessJob) =>
  defineJob({
    name: "order-ended-access-mails",
    schema: z.object({}),
    cron: "* * * * *",
    run: (_, jobs) =>
      database.withTransaction({ system: "find CRMs whose access has ended" }, async (tx) => {
        for (const ended of await takeEndedAccess(tx)) await jobs.enqueue(tx, job, ended);
      }),
  });
