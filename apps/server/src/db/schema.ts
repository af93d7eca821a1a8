import type { CallOutcomeTable } from "../features/call-outcomes/call-outcomes.table.ts";
import type { CallTable } from "../features/calls/calls.table.ts";
import type { CrmGrantTable, CrmLoginTable } from "../features/integrations/crm-grants.table.ts";
import type { IntegrationTable } from "../features/integrations/integrations.table.ts";
import type { SyncRunTable } from "../features/integrations/sync-runs.table.ts";
import type { FileTable } from "../features/files/files.table.ts";
import type { LeadImportErrorTable, LeadImportTable } from "../features/lead-imports/lead-imports.table.ts";
import type { LeadNoteTable } from "../features/leads/lead-notes.table.ts";
import type { LeadTable } from "../features/leads/leads.table.ts";
import type { OrganisationLimitsTable } from "../features/limits/limits.table.ts";
import type { InvitationTable } from "../features/members/invitations.table.ts";
import type { FollowUpTable } from "../features/follow-ups/follow-ups.table.ts";
import type { MembershipTable, OrganisationTable } from "../features/organisations/organisations.table.ts";
import type { LiveEventHorizonTable, LiveEventTable } from "../features/live-events/live-events.table.ts";
import type { PasswordResetTable } from "../features/passwords/password-resets.table.ts";
import type { RefreshTokenTable, SessionTable } from "../features/sessions/sessions.table.ts";
import type { SignInAttemptTable } from "../features/sessions/sign-in-attempts.table.ts";
import type { PhoneNumberTable } from "../features/numbers/phone-numbers.table.ts";
import type { PasswordTable, UserTable } from "../features/users/users.table.ts";

/** Every table, as its feature declares it. */
export interface Schema {
  users: UserTable;
  passwords: PasswordTable;
  password_resets: PasswordResetTable;
  sessions: SessionTable;
  refresh_tokens: RefreshTokenTable;
  sign_in_attempts: SignInAttemptTable;
  organisations: OrganisationTable;
  memberships: MembershipTable;
  invitations: InvitationTable;
  organisation_limits: OrganisationLimitsTable;
  calls: CallTable;
  files: FileTable;
  lead_imports: LeadImportTable;
  lead_import_errors: LeadImportErrorTable;
  leads: LeadTable;
  phone_numbers: PhoneNumberTable;
  integrations: IntegrationTable;
  crm_grants: CrmGrantTable;
  crm_logins: CrmLoginTable;
  sync_runs: SyncRunTable;
  lead_notes: LeadNoteTable;
  call_outcomes: CallOutcomeTable;
  follow_ups: FollowUpTable;
  live_events: LiveEventTable;
  live_event_horizons: LiveEventHorizonTable;
}
