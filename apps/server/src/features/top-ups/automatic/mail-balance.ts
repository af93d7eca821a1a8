import { z } from "zod";
import type { Database } from "../../../db/database.ts";
import { inDollars } from "../../../in-dollars.ts";
import { defineJob, type Job } from "../../../jobs/define-job.ts";
import { composeMail } from "../../../mail/compose-mail.ts";
import type { Mailer } from "../../../mail/create-mailer.ts";
import { mailRetries } from "../../../mail/mail-retries.ts";
import type { MailedLinks } from "../../../mail/mailed-links.ts";
import { findBalanceMail, takeBalanceMails } from "./balance-settings.table.ts";

const Data = z.object({ kind: z.enum(["low", "paused"]), organisationId: z.uuid(), userId: z.uuid() });
type MailBalanceJob = Job<typeof Data>;

const because = "You receive this email because you own the organisation.";

/** Mails one owner about a low balance, or that automatic top-ups are paused, unless neither is true any more. */
export const mailBalanceJob = (deps: {
  database: Database;
  mailer: Mailer;
  links: Pick<MailedLinks, "page">;
}): MailBalanceJob =>
  defineJob({
    name: "mail-balance",
    schema: Data,
    ...mailRetries,
    async run(asked) {
      const scope = { system: "a mail to an owner, who may act elsewhere" };
      const found = await deps.database.withTransaction(scope, (tx) => findBalanceMail(tx, asked));
      if (found === undefined || !(asked.kind === "low" ? found.isLow : found.pausedWhy)) return;
      const { email, firstName, organisationName, balanceMicros, lowBelowMicros, pausedWhy } = found;
      const balance = `The balance of “${organisationName}” is ${inDollars(balanceMicros)}`;
      const content =
        asked.kind === "low"
          ? {
              subject: "Your Leadline balance is low",
              paragraphs: [
                `${balance}, below your threshold of ${inDollars(lowBelowMicros ?? 0)}.`,
                "Calls end when it is used up. Top up to keep calling.",
              ],
              foot: `${because} It is sent once each time the balance falls below the threshold.`,
            }
          : {
              subject: "Automatic top-ups are paused",
              paragraphs: [
                `Leadline could not top up “${organisationName}” automatically: ${pausedWhy}`,
                `${balance}. Nothing is charged until someone changes the automatic top-up. They can save another payment method first.`,
              ],
              foot: `${because} It is sent once each time automatic top-ups are paused.`,
            };
      const action = { label: "Open Billing", url: await deps.links.page("/settings/billing") };
      await deps.mailer.send(composeMail({ to: email, greeting: `Hello ${firstName},`, action, ...content }));
    },
  });

/** Orders the mails in the transaction that records them as ordered, so that each owner gets only one. */
export const orderBalanceMailsJob = (database: Database, job: MailBalanceJob) =>
  defineJob({
    name: "order-balance-mails",
    schema: z.object({}),
    cron: "* * * * *",
    run: (_, jobs) =>
      database.withTransaction({ system: "find low balances and paused top-ups" }, async (tx) => {
        for (const mail of await takeBalanceMails(tx)) await jobs.enqueue(tx, job, mail);
      }),
  });
