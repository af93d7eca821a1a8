import { z } from "zod";
import { currentAudit } from "../../db/audit-context.ts";
import type { Database } from "../../db/database.ts";
import type { Tx } from "../../db/transaction.ts";
import { defineJob, type Job } from "../../jobs/define-job.ts";
import type { Jobs } from "../../jobs/run-jobs.ts";
import { composeMail, type MailContent } from "../../mail/compose-mail.ts";
import type { Mailer } from "../../mail/create-mailer.ts";
import { mailRetries } from "../../mail/mail-retries.ts";
import type { MailedLinks } from "../../mail/mailed-links.ts";
import { findAlert, selectOwnerIds } from "./members.table.ts";

const pages = {
  "/settings/limits": "Open Limits",
  "/settings/billing": "Open Billing",
  "/settings/carriers": "Open Carriers",
} as const;

const Data = z.object({
  organisationId: z.uuid(),
  ownerId: z.uuid(),
  /** Null: nobody in the organisation changed anything, and `subject` says what has happened. */
  changedBy: z.uuid().nullable(),
  subject: z.string().default(""),
  sentences: z.array(z.string()).min(1),
  page: z.enum(["/settings/limits", "/settings/billing", "/settings/carriers"]),
  address: z.string(),
});
type MailOwnerAlertJob = Job<typeof Data>;

/**
 * Mails all owners, once the transaction commits: that a person has let the organisation spend more, or, without a person
 * and with a subject, what has happened.
 */
export type AlertOwners = (
  tx: Tx,
  by: { organisation: { id: string }; userId: string | null },
  change: Pick<z.input<typeof Data>, "sentences" | "page" | "subject">,
) => Promise<void>;

export const createAlertOwners =
  (jobs: Pick<Jobs, "enqueue">, job: MailOwnerAlertJob): AlertOwners =>
  async (tx, { organisation: { id: organisationId }, userId: changedBy }, change) => {
    const address = currentAudit()?.address ?? "";
    for (const ownerId of await selectOwnerIds(tx, organisationId))
      await jobs.enqueue(tx, job, { organisationId, ownerId, changedBy, address, ...change });
  };

export const mailOwnerAlertJob = (deps: {
  database: Database;
  mailer: Mailer;
  links: Pick<MailedLinks, "page">;
}): MailOwnerAlertJob =>
  defineJob({
    name: "mail-owner-alert",
    schema: Data,
    ...mailRetries,
    async run(alert) {
      const scope = { system: "a mail to an owner, who may act elsewhere" };
      const found = await deps.database.withTransaction(scope, (tx) => findAlert(tx, alert));
      if (found === undefined) return;
      const mail = composeMail({
        to: found.email,
        greeting: `Hello ${found.firstName},`,
        action: { label: pages[alert.page], url: await deps.links.page(alert.page) },
        ...(alert.changedBy === null ? whatHappened(alert, found) : whatChanged(alert, found)),
      });
      await deps.mailer.send(mail);
    },
  });

type Words = Pick<MailContent, "subject" | "paragraphs" | "foot">;
type Found = { organisationName: string; changedBy: string };

const whatHappened = ({ subject, sentences }: z.output<typeof Data>, { organisationName }: Found): Words => ({
  subject,
  paragraphs: sentences,
  foot: `You receive this email because you own “${organisationName}”.`,
});

const whatChanged = ({ sentences, address }: z.output<typeof Data>, { organisationName, changedBy }: Found): Words => ({
  subject: "Your organisation can now spend more",
  paragraphs: [
    `${changedBy} changed a setting of “${organisationName}”${address === "" ? "" : ` from the address ${address}`}:`,
    ...sentences,
    `If you don’t expect this change, undo it, and ask ${changedBy} to change their password and to end their other sessions. The audit log shows what else changed.`,
  ],
  foot: "You receive this email because you own the organisation. It is sent whenever a change lets the organisation spend more.",
});
