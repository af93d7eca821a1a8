import type { AuditChangeTable, AuditEntryTable } from "../features/audit-log/audit-log.table.ts";
import type { CallOutcomeTable } from "../features/call-outcomes/call-outcomes.table.ts";
import type { CallTable } from "../features/calls/calls-as-stored.table.ts";
import type { CallTransferTable } from "../features/calls/second-line/call-transfers.table.ts";
import type { CarrierSecretTable, CarrierTable } from "../features/carriers/carriers.table.ts";
import type { CallerIdCodeTable, VerifiedCallerIdTable } from "../features/carriers/caller-id/caller-ids.table.ts";
import type { CarrierLegTable } from "../features/calls/carrier-legs.table.ts";
import type { CallCostTable } from "../features/carrier-records/call-costs.table.ts";
import type {
  CarrierRecordCursorTable,
  CarrierRecordTable,
} from "../features/carrier-records/carrier-records.table.ts";
import type { CarrierRateTable } from "../features/rates/rates.table.ts";
import type { DoNotCallTable } from "../features/do-not-call/do-not-call.table.ts";
import type { CrmGrantTable, CrmLoginTable } from "../features/integrations/crm-grants.table.ts";
import type { CrmChangeTable } from "../features/integrations/webhooks/crm-changes.table.ts";
import type { IntegrationTable } from "../features/integrations/integrations.table.ts";
import type {
  CallActivityTable,
  LeadChoiceTable,
} from "../features/integrations/written-calls/call-activities.table.ts";
import type { LeftOutTable } from "../features/integrations/left-out-records.table.ts";
import type { SyncRunLeadTable } from "../features/integrations/comparisons.table.ts";
import type { SyncRunTable } from "../features/integrations/sync-runs.table.ts";
import type { FileTable } from "../features/files/files.table.ts";
import type { LedgerAccountTable, LedgerHoldTable, LedgerTransferTable } from "../features/ledger/ledger.table.ts";
import type { LeadImportDuplicateTable } from "../features/lead-imports/duplicates.table.ts";
import type { LeadImportErrorTable, LeadImportTable } from "../features/lead-imports/lead-imports.table.ts";
import type { LeadChangeTable } from "../features/lead-changes/lead-changes.table.ts";
import type { LeadSeparationTable } from "../features/lead-conflicts/conflicts.table.ts";
import type { LeadMergeTable } from "../features/lead-conflicts/merges.table.ts";
import type { LeadHistoryTable } from "../features/lead-timeline/lead-timeline.table.ts";
import type { LeadViewTable } from "../features/lead-views/lead-views.table.ts";
import type { LeadNoteTable } from "../features/leads/lead-notes.table.ts";
import type { LeadTable } from "../features/leads/leads.table.ts";
import type { LimitBreachTable } from "../features/limits/breaches/breaches.table.ts";
import type { MemberLimitsTable, OrganisationLimitsTable } from "../features/limits/limits.table.ts";
import type { HostedLoginTable, IdentityTable } from "../features/hosted-login/hosted-login.table.ts";
import type { InvitationTable } from "../features/members/invitations.table.ts";
import type { FollowUpReminderTable } from "../features/follow-ups/follow-up-reminders.table.ts";
import type { CrmOwnerTable } from "../features/leads/crm-owners.table.ts";
import type { FollowUpTable } from "../features/follow-ups/follow-ups.table.ts";
import type { MembershipTable, OrganisationTable } from "../features/organisations/organisations.table.ts";
import type { LiveEventHorizonTable, LiveEventTable } from "../features/live-events/live-events.table.ts";
import type { PasswordResetTable } from "../features/users/password-reset/password-resets.table.ts";
import type { RefreshTokenTable, SessionTable } from "../features/sessions/sessions.table.ts";
import type { SignInAttemptTable } from "../features/sessions/sign-in-attempts.table.ts";
import type { PeopleAtProcessTable } from "../features/processes/people-at-processes.table.ts";
import type { ProcessTable } from "../features/processes/processes.table.ts";
import type { ProcessCommandTable } from "../features/processes/process-commands.table.ts";
import type { TrunkLineTable } from "../features/calls/outbound/trunk-lines.table.ts";
import type { PhoneNumberTable } from "../features/numbers/phone-numbers.table.ts";
import type { VoicemailMessageTable } from "../features/voicemail/voicemail-messages.table.ts";
import type { VoicemailGreetingTable, VoicemailSettingsTable } from "../features/voicemail/voicemail-settings.table.ts";
import type { PasswordTable, UserTable } from "../features/users/users.table.ts";
import type {
  CarrierAccountSecretTable,
  CarrierAccountTable,
} from "../features/carrier-accounts/carrier-accounts.table.ts";
import type { BillingDetailsTable, ReceiptTable } from "../features/receipts/receipts.table.ts";
import type { BalanceSettingsTable } from "../features/top-ups/automatic/balance-settings.table.ts";
import type { PaymentReportTable, TopUpTable } from "../features/top-ups/top-ups.table.ts";

/** Every table, as its feature declares it. */
export interface Schema {
  users: UserTable;
  passwords: PasswordTable;
  hosted_logins: HostedLoginTable;
  identities: IdentityTable;
  password_resets: PasswordResetTable;
  sessions: SessionTable;
  refresh_tokens: RefreshTokenTable;
  sign_in_attempts: SignInAttemptTable;
  organisations: OrganisationTable;
  memberships: MembershipTable;
  audit_entries: AuditEntryTable;
  audit_changes: AuditChangeTable;
  invitations: InvitationTable;
  ledger_accounts: LedgerAccountTable;
  ledger_transfers: LedgerTransferTable;
  ledger_holds: LedgerHoldTable;
  top_ups: TopUpTable;
  balance_settings: BalanceSettingsTable;
  billing_details: BillingDetailsTable;
  receipts: ReceiptTable;
  payment_reports: PaymentReportTable;
  organisation_limits: OrganisationLimitsTable;
  member_limits: MemberLimitsTable;
  limit_breaches: LimitBreachTable;
  calls: CallTable;
  call_transfers: CallTransferTable;
  voicemail_settings: VoicemailSettingsTable;
  voicemail_greetings: VoicemailGreetingTable;
  voicemail_messages: VoicemailMessageTable;
  files: FileTable;
  lead_imports: LeadImportTable;
  lead_import_errors: LeadImportErrorTable;
  lead_import_duplicates: LeadImportDuplicateTable;
  leads: LeadTable;
  carrier_accounts: CarrierAccountTable;
  carrier_account_secrets: CarrierAccountSecretTable;
  carrier_legs: CarrierLegTable;
  carrier_record_cursors: CarrierRecordCursorTable;
  carrier_records: CarrierRecordTable;
  call_costs: CallCostTable;
  carriers: CarrierTable;
  carrier_rates: CarrierRateTable;
  carrier_secrets: CarrierSecretTable;
  verified_caller_ids: VerifiedCallerIdTable;
  caller_id_codes: CallerIdCodeTable;
  phone_numbers: PhoneNumberTable;
  trunk_lines: TrunkLineTable;
  integrations: IntegrationTable;
  crm_grants: CrmGrantTable;
  crm_logins: CrmLoginTable;
  sync_runs: SyncRunTable;
  sync_run_leads: SyncRunLeadTable;
  crm_changes: CrmChangeTable;
  sync_run_left_out: LeftOutTable;
  lead_choices: LeadChoiceTable;
  call_activities: CallActivityTable;
  lead_changes: LeadChangeTable;
  lead_separations: LeadSeparationTable;
  lead_merges: LeadMergeTable;
  lead_history: LeadHistoryTable;
  crm_owners: CrmOwnerTable;
  lead_notes: LeadNoteTable;
  lead_views: LeadViewTable;
  call_outcomes: CallOutcomeTable;
  follow_ups: FollowUpTable;
  follow_up_reminders: FollowUpReminderTable;
  do_not_call: DoNotCallTable;
  live_events: LiveEventTable;
  live_event_horizons: LiveEventHorizonTable;
  process_commands: ProcessCommandTable;
  people_at_processes: PeopleAtProcessTable;
  processes: ProcessTable;
}
