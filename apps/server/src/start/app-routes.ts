import { randomUUID } from "node:crypto";
import type { Database } from "../db/database.ts";
import { auditLogRoutes } from "../features/audit-log/audit-log.routes.ts";
import { billingRoutes } from "../features/billing/billing.routes.ts";
import { callOutcomeRoutes } from "../features/call-outcomes/call-outcomes.routes.ts";
import { doNotCallRoutes } from "../features/do-not-call/do-not-call.routes.ts";
import { defaultQuotaBytes } from "../features/files/file-deps.ts";
import type { FileStore } from "../features/files/file-store.ts";
import { fileRoutes } from "../features/files/files.routes.ts";
import { crmOwnerRoutes } from "../features/integrations/crm-owners.routes.ts";
import { followUpRoutes } from "../features/follow-ups/follow-ups.routes.ts";
import { healthRoutes } from "../features/health/health.routes.ts";
import type { HostedLoginDeps } from "../features/hosted-login/hosted-login-deps.ts";
import { hostedLoginRoutes } from "../features/hosted-login/hosted-login.routes.ts";
import { leadImportRoutes } from "../features/lead-imports/lead-imports.routes.ts";
import { createRunningChecks } from "../features/lead-imports/running-checks.ts";
import { leadChangeRoutes } from "../features/lead-changes/lead-changes.routes.ts";
import { leadConflictRoutes } from "../features/lead-conflicts/lead-conflicts.routes.ts";
import { leadTimelineRoutes } from "../features/lead-timeline/lead-timeline.routes.ts";
import { leadViewRoutes } from "../features/lead-views/lead-views.routes.ts";
import { leadRoutes } from "../features/leads/leads.routes.ts";
import { orderMatching } from "../features/leads/owners/match-joined-owner.ts";
import { limitRoutes } from "../features/limits/limits.routes.ts";
import { liveEventRoutes } from "../features/live-events/live-events.routes.ts";
import type { LiveEvents } from "../features/live-events/run-live-events.ts";
import { createAlertOwners } from "../features/members/alert-owners.ts";
import { memberRoutes } from "../features/members/members.routes.ts";
import type { OrganisationHooks } from "../features/organisations/organisation-hooks.ts";
import { organisationRoutes } from "../features/organisations/organisations.routes.ts";
import type { RegistrationRules } from "../features/registration/register-user.ts";
import { registrationRoutes } from "../features/registration/registration.routes.ts";
import { personalDataRoutes } from "../features/personal-data/personal-data.routes.ts";
import { sessionRoutes } from "../features/sessions/sessions.routes.ts";
import { statisticsRoutes } from "../features/statistics/statistics.routes.ts";
import { passwordResetRoutes } from "../features/users/password-reset/password-reset.routes.ts";
import { userRoutes } from "../features/users/users.routes.ts";
import type { Route } from "../http/route.ts";
import type { Jobs } from "../jobs/run-jobs.ts";
import type { Log } from "../log.ts";
import type { Mailer } from "../mail/create-mailer.ts";
import type { MailedLinks } from "../mail/mailed-links.ts";
import type { Work } from "./define-jobs.ts";
import { onCountryChanged } from "./on-country-changed.ts";

interface AppRoutes {
  database: Database;
  jobs: Jobs;
  work: Work;
  hooks: readonly OrganisationHooks[];
  store: FileStore;
  links: MailedLinks;
  mailer: Mailer;
  signIn: Omit<HostedLoginDeps, "database"> & Pick<RegistrationRules, "registration">;
  /** As in RegistrationRules. */
  setUpHash: Buffer;
  openStreams: LiveEvents["openStreams"];
  log: Log;
}

/** All routes but those of calling and integrations, which have parts of their own to run. */
export function appRoutes(deps: AppRoutes): Route[] {
  const { database, jobs, work, hooks, store, links, mailer, signIn, setUpHash, openStreams, log } = deps;
  const { changeLeads, importLeads, mailInvitation, mailPasswordReset, removeOrganisation, rereadNumbers } = work;
  const alertOwners = createAlertOwners(jobs, work.mailOwnerAlert);
  const rules: RegistrationRules = {
    registration: signIn.registration,
    setUpHash,
    confirmByMail: (tx, email) =>
      jobs.enqueue(tx, mailPasswordReset, { resetId: randomUUID(), email, registering: true }),
  };
  return [
    ...registrationRoutes({ database, rules }),
    ...sessionRoutes({ database, ...signIn }),
    ...hostedLoginRoutes({ database, ...signIn }),
    ...passwordResetRoutes({ database, jobs, links, mailPasswordReset }),
    ...userRoutes({ database }),
    ...organisationRoutes({
      database,
      jobs,
      removeOrganisation,
      hooks,
      onCountryChanged: onCountryChanged({ jobs, job: rereadNumbers }),
    }),
    ...memberRoutes({
      database,
      jobs,
      links,
      mailInvitation,
      mailer,
      onJoined: (tx, joined) => orderMatching(tx, { jobs, job: work.matchJoinedOwner }, joined),
    }),
    ...auditLogRoutes({ database }),
    ...billingRoutes({ database, alertOwners }),
    ...limitRoutes({ database, alertOwners }),
    ...liveEventRoutes({ database, openStreams, log }),
    ...callOutcomeRoutes({ database }),
    ...followUpRoutes({ database }),
    ...crmOwnerRoutes({ database, jobs, job: work.reassignOwnedLeads }),
    ...doNotCallRoutes({ database }),
    ...statisticsRoutes({ database }),
    ...healthRoutes({ database }),
    ...leadRoutes({ database }),
    ...leadTimelineRoutes({ database }),
    ...leadViewRoutes({ database }),
    ...leadConflictRoutes({ database }),
    ...leadChangeRoutes({ database, jobs, job: changeLeads }),
    ...fileRoutes({ database, store, quotaBytes: defaultQuotaBytes }),
    ...personalDataRoutes({ database, store, jobs, removeStoredFiles: work.removeStoredFiles }),
    ...leadImportRoutes({ database, store, jobs, job: importLeads, checks: createRunningChecks() }),
  ];
}
