import type { Migration } from "kysely/migration";
import * as firstSchema from "./migrations/0001-first-schema.ts";
import * as crmRefreshLeases from "./migrations/0002-crm-refresh-leases.ts";
import * as crmMappings from "./migrations/0003-crm-mappings.ts";
import * as callActivities from "./migrations/0004-call-activities.ts";
import * as scheduledSyncs from "./migrations/0005-scheduled-syncs.ts";
import * as crmComparisons from "./migrations/0006-crm-comparisons.ts";
import * as leadCompany from "./migrations/0007-lead-company.ts";
import * as leftOutRecords from "./migrations/0008-left-out-records.ts";
import * as leadOwners from "./migrations/0009-lead-owners.ts";
import * as ledger from "./migrations/0010-ledger.ts";
import * as crmChanges from "./migrations/0011-crm-changes.ts";
import * as leadChanges from "./migrations/0012-lead-changes.ts";
import * as leadMerges from "./migrations/0013-lead-merges.ts";
import * as leadHistory from "./migrations/0014-lead-history.ts";
import * as carrierAccounts from "./migrations/0015-carrier-accounts.ts";
import * as callsOfRemovedLeads from "./migrations/0016-calls-of-removed-leads.ts";
import * as crmFields from "./migrations/0017-crm-fields.ts";
import * as accountNumbers from "./migrations/0018-account-numbers.ts";
import * as topUps from "./migrations/0019-top-ups.ts";
import * as changesOfSyncs from "./migrations/0020-changes-of-syncs.ts";
import * as callRates from "./migrations/0021-call-rates.ts";
import * as mailsOfEndedAccess from "./migrations/0022-mails-of-ended-access.ts";
import * as trunkLines from "./migrations/0023-trunk-lines.ts";
import * as receipts from "./migrations/0024-receipts.ts";
import * as carrierOrder from "./migrations/0025-carrier-order.ts";
import * as leadViews from "./migrations/0026-lead-views.ts";
import * as openHolds from "./migrations/0027-open-holds.ts";
import * as auditLog from "./migrations/0028-audit-log.ts";
import * as callerIdChoices from "./migrations/0029-caller-id-choices.ts";
import * as followUpReminders from "./migrations/0030-follow-up-reminders.ts";
import * as crmOwners from "./migrations/0031-crm-owners.ts";
import * as crmStatusValues from "./migrations/0032-crm-status-values.ts";
import * as carrierRecords from "./migrations/0033-carrier-records.ts";
import * as numberRenewals from "./migrations/0034-number-renewals.ts";
import * as memberLimits from "./migrations/0035-member-limits.ts";
import * as automaticTopUps from "./migrations/0036-automatic-top-ups.ts";
import * as callingHours from "./migrations/0037-calling-hours.ts";
import * as analysts from "./migrations/0038-analysts.ts";
import * as timeZoneChanges from "./migrations/0039-time-zone-changes.ts";
import * as erasures from "./migrations/0040-erasures.ts";
import * as shownNumbers from "./migrations/0041-shown-numbers.ts";
import * as moreLeadSorts from "./migrations/0042-more-lead-sorts.ts";
import * as deletedCrmRecords from "./migrations/0043-deleted-crm-records.ts";
import * as phoneAndNextStepSorts from "./migrations/0044-phone-and-next-step-sorts.ts";
import * as dueCallsByIntegration from "./migrations/0045-due-calls-by-integration.ts";
import * as ownNumbers from "./migrations/0046-own-numbers.ts";
import * as crmValues from "./migrations/0047-crm-values.ts";
import * as usableAccounts from "./migrations/0048-usable-accounts.ts";
import * as bridgedTransfers from "./migrations/0049-bridged-transfers.ts";
import * as heldLines from "./migrations/0050-held-lines.ts";
import * as changesByLeadline from "./migrations/0051-changes-by-leadline.ts";
import * as requestLimits from "./migrations/0052-request-limits.ts";
import * as leadWrites from "./migrations/0053-lead-writes.ts";
import * as recordsOfTransfers from "./migrations/0054-records-of-transfers.ts";
import * as shorterTransfers from "./migrations/0055-shorter-transfers.ts";
import * as ownerSort from "./migrations/0056-owner-sort.ts";
import * as freeHolds from "./migrations/0060-free-holds.ts";
import * as nextStepAndOwnerOfCrms from "./migrations/0057-next-step-and-owner-of-crms.ts";
import * as fencedCrmWrites from "./migrations/0061-fenced-crm-writes.ts";
import * as vendorAccountIds from "./migrations/0062-vendor-account-ids.ts";
import * as accountsAndOrders from "./migrations/0063-accounts-and-orders.ts";
import * as callerVerification from "./migrations/0064-caller-verification.ts";
import * as rateReadings from "./migrations/0066-rate-readings.ts";
import * as marginOfCalls from "./migrations/0067-margin-of-calls.ts";
import * as crmReadTimes from "./migrations/0068-crm-read-times.ts";
import * as feesOfAccountNumbers from "./migrations/0069-fees-of-account-numbers.ts";
import * as calledAddresses from "./migrations/0070-called-addresses.ts";
import * as callsToSortAgain from "./migrations/0071-calls-to-sort-again.ts";
import * as callsAroundCrmRecords from "./migrations/0072-calls-around-crm-records.ts";
import * as numbersOfSandboxes from "./migrations/0074-numbers-of-sandboxes.ts";
import * as termsOfOrders from "./migrations/0075-terms-of-orders.ts";
import * as breachesAndOtherCurrencies from "./migrations/0076-breaches-and-other-currencies.ts";
import * as auditedChangesCounted from "./migrations/0077-audited-changes-counted.ts";
import * as accountsOfGlobalIds from "./migrations/0086-accounts-of-global-ids.ts";
import * as retriedRuns from "./migrations/0087-retried-runs.ts";
import * as callsOfChangedLeads from "./migrations/0084-calls-of-changed-leads.ts";
import * as editsOfReturnedRecords from "./migrations/0085-edits-of-returned-records.ts";
import * as moreTypesOfNumbers from "./migrations/0082-more-types-of-numbers.ts";
import * as mirroredLimits from "./migrations/0083-mirrored-limits.ts";

/** In order. What has been released is never changed again: what comes after it is a migration of its own. */
export const migrations: Record<string, Migration> = {
  "0001-first-schema": firstSchema,
  "0002-crm-refresh-leases": crmRefreshLeases,
  "0003-crm-mappings": crmMappings,
  "0004-call-activities": callActivities,
  "0005-scheduled-syncs": scheduledSyncs,
  "0006-crm-comparisons": crmComparisons,
  "0007-lead-company": leadCompany,
  "0008-left-out-records": leftOutRecords,
  "0009-lead-owners": leadOwners,
  "0010-ledger": ledger,
  "0011-crm-changes": crmChanges,
  "0012-lead-changes": leadChanges,
  "0013-lead-merges": leadMerges,
  "0014-lead-history": leadHistory,
  "0015-carrier-accounts": carrierAccounts,
  "0016-calls-of-removed-leads": callsOfRemovedLeads,
  "0017-crm-fields": crmFields,
  "0018-account-numbers": accountNumbers,
  "0019-top-ups": topUps,
  "0020-changes-of-syncs": changesOfSyncs,
  "0021-call-rates": callRates,
  "0022-mails-of-ended-access": mailsOfEndedAccess,
  "0023-trunk-lines": trunkLines,
  "0024-receipts": receipts,
  "0025-carrier-order": carrierOrder,
  "0026-lead-views": leadViews,
  "0027-open-holds": openHolds,
  "0028-audit-log": auditLog,
  "0029-caller-id-choices": callerIdChoices,
  "0030-follow-up-reminders": followUpReminders,
  "0031-crm-owners": crmOwners,
  "0032-crm-status-values": crmStatusValues,
  "0033-carrier-records": carrierRecords,
  "0034-number-renewals": numberRenewals,
  "0035-member-limits": memberLimits,
  "0036-automatic-top-ups": automaticTopUps,
  "0037-calling-hours": callingHours,
  "0038-analysts": analysts,
  "0039-time-zone-changes": timeZoneChanges,
  "0040-erasures": erasures,
  "0041-shown-numbers": shownNumbers,
  "0042-more-lead-sorts": moreLeadSorts,
  "0043-deleted-crm-records": deletedCrmRecords,
  "0044-phone-and-next-step-sorts": phoneAndNextStepSorts,
  "0045-due-calls-by-integration": dueCallsByIntegration,
  "0046-own-numbers": ownNumbers,
  "0047-crm-values": crmValues,
  "0048-usable-accounts": usableAccounts,
  "0049-bridged-transfers": bridgedTransfers,
  "0050-held-lines": heldLines,
  "0051-changes-by-leadline": changesByLeadline,
  "0052-request-limits": requestLimits,
  "0053-lead-writes": leadWrites,
  "0054-records-of-transfers": recordsOfTransfers,
  "0055-shorter-transfers": shorterTransfers,
  "0056-owner-sort": ownerSort,
  "0057-next-step-and-owner-of-crms": nextStepAndOwnerOfCrms,
  "0060-free-holds": freeHolds,
  "0061-fenced-crm-writes": fencedCrmWrites,
  "0062-vendor-account-ids": vendorAccountIds,
  "0063-accounts-and-orders": accountsAndOrders,
  "0064-caller-verification": callerVerification,
  "0066-rate-readings": rateReadings,
  "0067-margin-of-calls": marginOfCalls,
  "0068-crm-read-times": crmReadTimes,
  "0069-fees-of-account-numbers": feesOfAccountNumbers,
  "0070-called-addresses": calledAddresses,
  "0071-calls-to-sort-again": callsToSortAgain,
  "0072-calls-around-crm-records": callsAroundCrmRecords,
  "0074-numbers-of-sandboxes": numbersOfSandboxes,
  "0075-terms-of-orders": termsOfOrders,
  "0076-breaches-and-other-currencies": breachesAndOtherCurrencies,
  "0077-audited-changes-counted": auditedChangesCounted,
  "0082-more-types-of-numbers": moreTypesOfNumbers,
  "0084-calls-of-changed-leads": callsOfChangedLeads,
  "0085-edits-of-returned-records": editsOfReturnedRecords,
  "0086-accounts-of-global-ids": accountsOfGlobalIds,
  "0087-retried-runs": retriedRuns,
  "0083-mirrored-limits": mirroredLimits,
};
