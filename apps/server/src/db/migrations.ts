import type { Migration } from "kysely/migration";
import * as peopleAndOrganisations from "./migrations/0001-people-and-organisations.ts";
import * as liveEvents from "./migrations/0002-live-events.ts";
import * as calls from "./migrations/0003-calls.ts";
import * as leads from "./migrations/0010-leads.ts";
import * as files from "./migrations/0011-files.ts";
import * as membersAndMail from "./migrations/0013-members-and-mail.ts";
import * as phoneNumbers from "./migrations/0015-phone-numbers.ts";
import * as callNotes from "./migrations/0016-call-notes.ts";
import * as integrations from "./migrations/0017-integrations.ts";
import * as limits from "./migrations/0018-limits.ts";
import * as hostedLogin from "./migrations/0019-hosted-login.ts";
import * as doNotCall from "./migrations/0025-do-not-call.ts";
import * as leadOfACall from "./migrations/0026-lead-of-a-call.ts";
import * as foldAccents from "./migrations/0027-fold-accents.ts";
import * as searchCalls from "./migrations/0028-search-calls.ts";
import * as failingImports from "./migrations/0030-failing-imports.ts";
import * as invitationMails from "./migrations/0031-invitation-mails.ts";
import * as originOfLeads from "./migrations/0032-origin-of-leads.ts";
import * as cellsOfFailedRows from "./migrations/0033-cells-of-failed-rows.ts";
import * as stretchesOfLeads from "./migrations/0034-stretches-of-leads.ts";
import * as withdrawnWindowsOfLeads from "./migrations/0034-windows-of-leads.ts";
import * as noWindowsOfLeads from "./migrations/0035-no-windows-of-leads.ts";
import * as newestFoundLeads from "./migrations/0036-newest-found-leads.ts";
import * as carriers from "./migrations/0040-carriers.ts";
import * as callsThatNobodyTook from "./migrations/0041-calls-that-nobody-took.ts";
import * as numberThatWasCalled from "./migrations/0042-number-that-was-called.ts";
import * as voicemail from "./migrations/0043-voicemail.ts";
import * as transfersOfCalls from "./migrations/0044-transfers-of-calls.ts";
import * as priceOfCalls from "./migrations/0045-price-of-calls.ts";
import * as statusInTheCrm from "./migrations/0046-status-in-the-crm.ts";
import * as organisationsThatGo from "./migrations/0047-organisations-that-go.ts";
import * as authenticateAtOnce from "./migrations/0051-authenticate-at-once.ts";
import * as outcomesThatMeanCallBack from "./migrations/0052-outcomes-that-mean-call-back.ts";
import * as answersOfCrmLogins from "./migrations/0053-answers-of-crm-logins.ts";
import * as leadsOfTransfers from "./migrations/0054-leads-of-transfers.ts";
import * as linesOfPeople from "./migrations/0056-lines-of-people.ts";
import * as callsThatOutliveARestart from "./migrations/0059-calls-that-outlive-a-restart.ts";
import * as callersWithoutANumber from "./migrations/0062-callers-without-a-number.ts";
import * as heldByThem from "./migrations/0063-held-by-them.ts";
import * as connectionOfACall from "./migrations/0064-connection-of-a-call.ts";
import * as countOwnUploads from "./migrations/0070-count-own-uploads.ts";
import * as identitiesOfCarriers from "./migrations/0073-identities-of-carriers.ts";
import * as commandsBetweenProcesses from "./migrations/0076-commands-between-processes.ts";
import * as whenProcessesWereLastSeen from "./migrations/0077-when-processes-were-last-seen.ts";
import * as keyOfRefreshTokens from "./migrations/0078-key-of-refresh-tokens.ts";
import * as callersVouchedFor from "./migrations/0081-callers-vouched-for.ts";
import * as transfersToTeammates from "./migrations/0086-transfers-to-teammates.ts";
import * as limitsThatEndCalls from "./migrations/0088-limits-that-end-calls.ts";
import * as openingHoursToBeChosen from "./migrations/0089-opening-hours-to-be-chosen.ts";
import * as verifiedCallerIds from "./migrations/0096-verified-caller-ids.ts";
import * as duplicatesOfImports from "./migrations/0104-duplicates-of-imports.ts";
import * as callsBetweenTeammates from "./migrations/0106-calls-between-teammates.ts";
import * as peopleAtProcesses from "./migrations/0109-people-at-processes.ts";
import * as openingHoursNobodyChose from "./migrations/0112-opening-hours-nobody-chose.ts";

/** In order of their names. One that has shipped is never edited: the next one corrects it. */
export const migrations: Record<string, Migration> = {
  "0001-people-and-organisations": peopleAndOrganisations,
  "0002-live-events": liveEvents,
  "0003-calls": calls,
  "0010-leads": leads,
  "0011-files": files,
  "0013-members-and-mail": membersAndMail,
  "0015-phone-numbers": phoneNumbers,
  "0016-call-notes": callNotes,
  "0017-integrations": integrations,
  "0018-limits": limits,
  "0019-hosted-login": hostedLogin,
  "0025-do-not-call": doNotCall,
  "0026-lead-of-a-call": leadOfACall,
  "0027-fold-accents": foldAccents,
  "0028-search-calls": searchCalls,
  "0030-failing-imports": failingImports,
  "0031-invitation-mails": invitationMails,
  "0032-origin-of-leads": originOfLeads,
  "0033-cells-of-failed-rows": cellsOfFailedRows,
  "0034-stretches-of-leads": stretchesOfLeads,
  "0034-windows-of-leads": withdrawnWindowsOfLeads,
  "0035-no-windows-of-leads": noWindowsOfLeads,
  "0036-newest-found-leads": newestFoundLeads,
  "0040-carriers": carriers,
  "0041-calls-that-nobody-took": callsThatNobodyTook,
  "0042-number-that-was-called": numberThatWasCalled,
  "0043-voicemail": voicemail,
  "0044-transfers-of-calls": transfersOfCalls,
  "0045-price-of-calls": priceOfCalls,
  "0046-status-in-the-crm": statusInTheCrm,
  "0047-organisations-that-go": organisationsThatGo,
  "0051-authenticate-at-once": authenticateAtOnce,
  "0052-outcomes-that-mean-call-back": outcomesThatMeanCallBack,
  "0053-answers-of-crm-logins": answersOfCrmLogins,
  "0054-leads-of-transfers": leadsOfTransfers,
  "0056-lines-of-people": linesOfPeople,
  "0059-calls-that-outlive-a-restart": callsThatOutliveARestart,
  "0062-callers-without-a-number": callersWithoutANumber,
  "0063-held-by-them": heldByThem,
  "0064-connection-of-a-call": connectionOfACall,
  "0070-count-own-uploads": countOwnUploads,
  "0073-identities-of-carriers": identitiesOfCarriers,
  "0076-commands-between-processes": commandsBetweenProcesses,
  "0077-when-processes-were-last-seen": whenProcessesWereLastSeen,
  "0078-key-of-refresh-tokens": keyOfRefreshTokens,
  "0081-callers-vouched-for": callersVouchedFor,
  "0086-transfers-to-teammates": transfersToTeammates,
  "0088-limits-that-end-calls": limitsThatEndCalls,
  "0089-opening-hours-to-be-chosen": openingHoursToBeChosen,
  "0096-verified-caller-ids": verifiedCallerIds,
  "0104-duplicates-of-imports": duplicatesOfImports,
  "0106-calls-between-teammates": callsBetweenTeammates,
  "0109-people-at-processes": peopleAtProcesses,
  "0112-opening-hours-nobody-chose": openingHoursNobodyChose,
};
