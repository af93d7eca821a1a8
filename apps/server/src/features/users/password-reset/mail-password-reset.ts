import { z } from "zod";
import type { Database } from "../../../db/database.ts";
import { defineJob, type Job } from "../../../jobs/define-job.ts";
import { composeMail } from "../../../mail/compose-mail.ts";
import type { Mailer } from "../../../mail/create-mailer.ts";
import { mailRetries } from "../../../mail/mail-retries.ts";
import type { MailedLinks } from "../../../mail/mailed-links.ts";
import { findPersonByEmail } from "../find-person-by-email.ts";
import { insertPasswordReset } from "./password-resets.table.ts";

const Data = z.object({
  resetId: z.uuid(),
  email: z.string(),
  /** The address has just been registered; using the link verifies it. */
  registering: z.boolean().optional(),
});
export type MailPasswordResetJob = Job<typeof Data>;

const anotherPassword = {
  subject: "Set a new Leadline password",
  paragraphs: ["someone, probably you, asked to reset the password of your Leadline account."],
  foot: "The link works once, within one hour. If you didn’t ask for it, ignore this email: your password stays the same.",
};
const confirmation = {
  subject: "Confirm your Leadline account",
  paragraphs: ["someone, probably you, registered this address. Set a password to use the account."],
  foot: "The link works once, within one hour; “Forgot password” sends another. If it wasn’t you, ignore this email: no one can log in without the link.",
};

/** No mail is sent to an unregistered address or a disabled person. */
export const mailPasswordResetJob = (deps: {
  database: Database;
  mailer: Mailer;
  links: MailedLinks;
}): MailPasswordResetJob =>
  defineJob({
    name: "mail-password-reset",
    schema: Data,
    ...mailRetries,
    async run({ resetId, email, registering }) {
      const token = deps.links.tokenOf("password-reset", resetId);
      const scope = { system: "whose address it is; no one is signed in" };
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
          greeting: `Hello ${person.firstName},`,
          ...(registering ? confirmation : anotherPassword),
          action: {
            label: registering ? "Set a password" : "Set a new password",
            url: await deps.links.url("/reset-password", token),
          },
        }),
      );
    },
  });
