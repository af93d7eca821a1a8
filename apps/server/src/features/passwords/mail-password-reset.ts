import { z } from "zod";
import type { Database } from "../../db/database.ts";
import { defineJob, type Job } from "../../jobs/define-job.ts";
import { composeMail } from "../../mail/compose-mail.ts";
import type { Mailer } from "../../mail/create-mailer.ts";
import { mailRetries } from "../../mail/mail-retries.ts";
import type { MailedLinks } from "../../mail/mailed-links.ts";
import { findPersonByEmail } from "../users/find-person-by-email.ts";
import { insertPasswordReset } from "./password-resets.table.ts";

const Data = z.object({ resetId: z.uuid(), email: z.string() });
export type MailPasswordResetJob = Job<typeof Data>;

/** An address that nobody has, or a disabled person's, gets no mail. */
export const mailPasswordResetJob = (deps: {
  database: Database;
  mailer: Mailer;
  links: MailedLinks;
}): MailPasswordResetJob =>
  defineJob({
    name: "mail-password-reset",
    schema: Data,
    ...mailRetries,
    async run({ resetId, email }) {
      const token = deps.links.tokenOf("password-reset", resetId);
      const scope = { system: "whose address it is; nobody is signed in" };
      const person = await deps.database.withTransaction(scope, async (tx) => {
        const found = await findPersonByEmail(tx, email);
        if (found === undefined || found.disabled) return null;
        const reset = { id: resetId, userId: found.id, tokenHash: deps.links.hash(token) };
        return (await insertPasswordReset(tx, reset)) ? found : null;
      });
      if (person === null) return;
      await deps.mailer.send(
        composeMail({
          to: email,
          subject: "Set a new Leadline password",
          greeting: `Hello ${person.firstName},`,
          paragraphs: ["somebody, most likely you, asked for a new password for your Leadline account."],
          action: { label: "Set a new password", url: await deps.links.url("/reset-password", token) },
          foot: "The link works once, within one hour. If you did not ask for it, do nothing: your password stays as it is.",
        }),
      );
    },
  });
