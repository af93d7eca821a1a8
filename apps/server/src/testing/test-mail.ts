import { randomUUID } from "node:crypto";
import { inject, vi } from "vitest";
import type { Database } from "../db/database.ts";
import { type AlertOwners, createAlertOwners, mailOwnerAlertJob } from "../features/members/alert-owners.ts";
import { mailInvitationJob } from "../features/members/mail-invitation.ts";
import type { JoinHook } from "../features/members/accept-invitation.ts";
import { memberRoutes } from "../features/members/members.routes.ts";
import { mailPasswordResetJob } from "../features/users/password-reset/mail-password-reset.ts";
import { passwordResetRoutes } from "../features/users/password-reset/password-reset.routes.ts";
import type { Route } from "../http/route.ts";
import type { Job } from "../jobs/define-job.ts";
import { type Jobs, runJobs } from "../jobs/run-jobs.ts";
import type { Log } from "../log.ts";
import { createMailedLinks } from "../mail/mailed-links.ts";
import { createMailer, type Mailer } from "../mail/create-mailer.ts";
import type { DeriveKey } from "../secrets.ts";
import { type ReceivedMail, startMailServer } from "./mail-server.ts";

/** The routes that send mail, over a real queue and a real mail server. The queue starts with the first mail. */
export function testMail(
  { database, deriveKey, log, onJoined }: { database: Database; deriveKey: DeriveKey; log: Log } & JoinHook,
  databaseUrl = inject("databaseUrl"),
) {
  let server: Awaited<ReturnType<typeof startMailServer>> | undefined;
  let mailer: Mailer | undefined;
  let running: Promise<Jobs> | undefined;
  let alertOwners: AlertOwners | undefined;

  return {
    alertOwners: (async (...alert) => alertOwners?.(...alert)) satisfies AlertOwners,
    async start(): Promise<Route[]> {
      server = await startMailServer();
      mailer = createMailer({ smtpUrl: server.url, mailFrom: "Leadline <phone@example.com>", dataDir: "" }, log);
      const links = createMailedLinks(deriveKey, Promise.resolve("https://phone.example.com"));
      const mailPasswordReset = ofThisSuite(mailPasswordResetJob({ database, mailer, links }));
      const mailInvitation = ofThisSuite(mailInvitationJob({ database, mailer, links }));
      const mailOwnerAlert = ofThisSuite(mailOwnerAlertJob({ database, mailer, links }));
      const jobs: Pick<Jobs, "enqueue"> = {
        async enqueue(tx, job, data) {
          running ??= runJobs(databaseUrl, [mailPasswordReset, mailInvitation, mailOwnerAlert], log);
          await (await running).enqueue(tx, job, data);
        },
      };
      alertOwners = createAlertOwners(jobs, mailOwnerAlert);
      return [
        ...passwordResetRoutes({ database, jobs, links, mailPasswordReset }),
        ...memberRoutes({ database, jobs, links, mailInvitation, mailer, onJoined }),
      ];
    },
    to: (address: string): Promise<ReceivedMail> =>
      vi.waitFor(
        () => {
          const mail = server?.received.findLast(({ to }) => to === address);
          if (mail === undefined) throw new Error(`no mail has come to ${address}`);
          return mail;
        },
        { interval: 20 },
      ),
    /** All received mail, in order. */
    received: (): readonly ReceivedMail[] => server?.received ?? [],
    async stop(): Promise<void> {
      await (await running)?.close();
      mailer?.close();
      await server?.close();
    },
  };
}

/** Suites share a database: one must not send mail that another has queued, as its key differs. */
const ofThisSuite = <J extends Job>(job: J): J => ({ ...job, name: nameInSuite(job.name) });
const suite = randomUUID();
export const nameInSuite = (job: string): string => `${job}-${suite}`;
