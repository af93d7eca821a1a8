import { z } from "zod";
import type { Database } from "../../../db/database.ts";
import { inDollars } from "../../../in-dollars.ts";
import { defineJob, type Job } from "../../../jobs/define-job.ts";
import { composeMail } from "../../../mail/compose-mail.ts";
import type { Mailer } from "../../../mail/create-mailer.ts";
import { mailRetries } from "../../../mail/mail-retries.ts";
import type { MailedLinks } from "../../../mail/mailed-links.ts";
import { findReceiver, graceDays, type Renewal, selectNumbers, selectRenewals } from "./renewals.table.ts";

const Data = z.object({
  organisationId: z.uuid(),
  userId: z.uuid(),
  what: z.enum(["renews-soon", "unpaid", "released"]),
  numberIds: z.array(z.uuid()).min(1),
});
export type MailRenewalsJob = Job<typeof Data>;

/**
 * Notifies an owner or admin that numbers renew soon, weren't paid, or were released; sends nothing if that no longer
 * applies.
 */
export const mailRenewalsJob = (deps: {
  database: Database;
  mailer: Mailer;
  links: Pick<MailedLinks, "billingPage">;
}): MailRenewalsJob =>
  defineJob({
    name: "mail-number-renewals",
    schema: Data,
    ...mailRetries,
    async run({ organisationId, userId, what, numberIds: ids }) {
      const scope = { system: "a mail to an owner or admin, who may act elsewhere" };
      const { receiver, renewals, numbers } = await deps.database.withTransaction(scope, async (tx) => ({
        receiver: await findReceiver(tx, { organisationId, userId }),
        renewals: (await selectRenewals(tx, organisationId)).filter(({ id }) => ids.includes(id)),
        numbers: await selectNumbers(tx, { organisationId, ids }),
      }));
      if (receiver === null) return;
      const told =
        what === "released"
          ? releasedWords(numbers)
          : what === "unpaid"
            ? unpaidWords(renewals.filter(({ releaseOn }) => releaseOn !== null))
            : soonWords(renewals, receiver.availableMicros);
      if (told === null) return;
      const mail = composeMail({
        to: receiver.email,
        subject: told.subject,
        greeting: `Hello ${receiver.firstName},`,
        paragraphs: [`This is about the phone numbers of “${receiver.organisationName}”.`, ...told.paragraphs],
        action: { label: "Open Billing", url: await deps.links.billingPage() },
        foot: "You receive this email because you are an owner or admin of the organisation.",
      });
      await deps.mailer.send(mail);
    },
  });

interface Words {
  subject: string;
  paragraphs: string[];
}

const feeOf = ({ number, costMicros, renewsOn }: Renewal): string =>
  `${number}: ${inDollars(costMicros)} on ${renewsOn}.`;

function soonWords(renewals: readonly Renewal[], availableMicros: number): Words | null {
  if (renewals.length === 0) return null;
  const covers = availableMicros >= renewals.reduce((sum, { costMicros }) => sum + costMicros, 0);
  const balance = `Your balance is ${inDollars(availableMicros)}`;
  return {
    subject: covers ? "Your phone numbers renew soon" : "Top up to keep your phone numbers",
    paragraphs: [
      ...renewals.map(feeOf),
      covers
        ? `${balance}, which covers this. You don’t need to do anything.`
        : `${balance}, which doesn’t cover this. Top up before then. A number that isn’t paid is released ${graceDays} days later.`,
    ],
  };
}

function unpaidWords(renewals: readonly Renewal[]): Words | null {
  if (renewals.length === 0) return null;
  return {
    subject: "Top up to keep your phone numbers",
    paragraphs: [
      "Your balance didn’t cover the renewal of these numbers. They keep working until they are released.",
      ...renewals.map(
        ({ number, costMicros, releaseOn }) => `${number}: ${inDollars(costMicros)}, released on ${releaseOn}.`,
      ),
      "Top up before then, and they renew by themselves.",
    ],
  };
}

function releasedWords(numbers: readonly string[]): Words | null {
  if (numbers.length === 0) return null;
  return {
    subject: "Phone numbers released",
    paragraphs: [
      `These numbers were released because their renewal wasn’t paid within ${graceDays} days: ${numbers.join(", ")}.`,
      "They may still be for sale under Phone numbers.",
    ],
  };
}
