import type { Database } from "../db/database.ts";
import { pruneAuditLogJob } from "../features/audit-log/prune-audit-log.ts";
import type { FileStore } from "../features/files/file-store.ts";
import { removeStoredFilesJob } from "../features/files/remove-stored-files-job.ts";
import { sweepFilesJob } from "../features/files/sweep-files.ts";
import { mailFollowUpsJob } from "../features/follow-ups/mail-follow-ups.ts";
import { remindOfFollowUpsJob } from "../features/follow-ups/remind-of-follow-ups.ts";
import { pruneHostedLoginsJob } from "../features/hosted-login/prune-hosted-logins.ts";
import { mailEndedAccessJob, orderEndedAccessMailsJob } from "../features/integrations/access/mail-ended-access.ts";
import type { Integrations } from "../features/integrations/open-integrations.ts";
import { changeLeadsJob } from "../features/lead-changes/change-leads-job.ts";
import { purgeRemovedJob } from "../features/lead-changes/purge-removed.ts";
import { importLeadsJob, resumeLeadImportsJob } from "../features/lead-imports/import-leads-job.ts";
import { knownImportFiles } from "../features/lead-imports/read-lead-import.ts";
import { matchJoinedOwnerJob } from "../features/leads/owners/match-joined-owner.ts";
import { reassignOwnedLeadsJob } from "../features/leads/owners/reassign-owned-leads.ts";
import { rereadNumbersJob } from "../features/leads/numbers/reread-numbers.ts";
import { mailBreachJob, orderBreachMailsJob, pruneBreachesJob } from "../features/limits/breaches/mail-breaches.ts";
import { pruneLiveEventsJob } from "../features/live-events/prune-live-events.ts";
import { mailOwnerAlertJob } from "../features/members/alert-owners.ts";
import { mailInvitationJob } from "../features/members/mail-invitation.ts";
import { pruneInvitationsJob } from "../features/members/prune-invitations.ts";
import { mailRenewalsJob } from "../features/numbers/renewals/mail-renewals.ts";
import { renewNumbersJob } from "../features/numbers/renewals/renew-numbers-job.ts";
import type { OrganisationHooks } from "../features/organisations/organisation-hooks.ts";
import { removeOrganisationJob } from "../features/organisations/remove-organisation-job.ts";
import { pruneSessionsJob } from "../features/sessions/prune-sessions.ts";
import { mailBalanceJob, orderBalanceMailsJob } from "../features/top-ups/automatic/mail-balance.ts";
import { mailPasswordResetJob } from "../features/users/password-reset/mail-password-reset.ts";
import { prunePasswordResetsJob } from "../features/users/password-reset/prune-password-resets.ts";
import { dropOutdatedMessagesJob } from "../features/voicemail/drop-outdated.ts";
import { knownVoicemailFiles } from "../features/voicemail/known-voicemail-files.ts";
import type { Log } from "../log.ts";
import type { Mailer } from "../mail/create-mailer.ts";
import type { MailedLinks } from "../mail/mailed-links.ts";

interface DefineJobs {
  database: Database;
  mailer: Mailer;
  links: MailedLinks;
  store: FileStore;
  hooks: readonly OrganisationHooks[];
  integrations: Pick<Integrations, "jobs" | "scheduledJobs" | "nameOfCrm">;
  log: Log;
}

/** Files that the nightly sweep keeps, in addition to those the files feature knows. */
export const neededFiles = [knownImportFiles, knownVoicemailFiles];

export type Work = ReturnType<typeof defineJobs>;

/** All background jobs. Jobs that other code enqueues are also returned by name. */
export function defineJobs({ database, mailer, links, store, hooks, integrations, log }: DefineJobs) {
  const ordered = {
    mailPasswordReset: mailPasswordResetJob({ database, mailer, links }),
    mailInvitation: mailInvitationJob({ database, mailer, links }),
    mailRenewals: mailRenewalsJob({ database, mailer, links }),
    mailEndedAccess: mailEndedAccessJob({ database, mailer, links, nameOfCrm: integrations.nameOfCrm }),
    mailFollowUps: mailFollowUpsJob({ database, mailer, links }),
    mailOwnerAlert: mailOwnerAlertJob({ database, mailer, links }),
    mailBreach: mailBreachJob({ database, mailer, links }),
    mailBalance: mailBalanceJob({ database, mailer, links }),
    importLeads: importLeadsJob({ database, store, log }),
    changeLeads: changeLeadsJob(database, log),
    rereadNumbers: rereadNumbersJob(database),
    matchJoinedOwner: matchJoinedOwnerJob(database),
    reassignOwnedLeads: reassignOwnedLeadsJob(database),
    removeOrganisation: removeOrganisationJob({ database, hooks }),
    removeStoredFiles: removeStoredFilesJob({ store }),
  };
  return {
    ...ordered,
    all: [
      ...Object.values(ordered),
      ...integrations.jobs,
      ...integrations.scheduledJobs,
      resumeLeadImportsJob({ database }, ordered.importLeads),
      orderEndedAccessMailsJob(database, ordered.mailEndedAccess),
      remindOfFollowUpsJob(database, ordered.mailFollowUps),
      orderBreachMailsJob(database, ordered.mailBreach),
      pruneBreachesJob(database),
      orderBalanceMailsJob(database, ordered.mailBalance),
      purgeRemovedJob(database),
      pruneAuditLogJob(database),
      pruneLiveEventsJob(database),
      pruneSessionsJob(database),
      prunePasswordResetsJob(database),
      renewNumbersJob({ database, mail: ordered.mailRenewals, log }),
      pruneHostedLoginsJob(database),
      pruneInvitationsJob(database),
      sweepFilesJob({ database, store, needed: neededFiles }),
      dropOutdatedMessagesJob({ database, store }),
    ],
  };
}
