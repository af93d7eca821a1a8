import type { Break } from "./breaks.ts";

const server = "apps/server/src";
const leads = `${server}/features/leads`;
const integrations = `${server}/features/integrations`;
const written = `${integrations}/lead-write-back`;
const writtenLeads = [`${written}/written-leads.test.ts`];
const createdLeads = [`${written}/created-leads.test.ts`];
const owners = [`${written}/owners-and-next-steps.test.ts`];

const planted = (what: string, file: string, [from, to]: [string, string], tests: readonly string[]): Break => ({
  what,
  file,
  from,
  to,
  tests,
});

/** Of leads and their owners that are written to CRMs. */
export const writingBreaks: readonly Break[] = [
  planted(
    "Salesforce's record is written without its condition",
    "crms/salesforce/write-leads.ts",
    ["unmodifiedSince: new Date(change.version)", ""],
    writtenLeads,
  ),
  planted(
    "Podio's item is written without its revision",
    "crms/podio/write-leads.ts",
    ["{ revision: Number(change.version) }", "{}"],
    writtenLeads,
  ),
  planted(
    "a value that was replaced in HubSpot stays replaced",
    "crms/hubspot/write-leads.ts",
    ["Date.parse(before.timestamp) > sinceMs", "Date.parse(before.timestamp) < 0"],
    writtenLeads,
  ),
  planted(
    "a converted lead is created a second time",
    "crms/salesforce/write-leads.ts",
    [
      `if (personId.startsWith("00Q")) return personId;`,
      `if (personId.length > 0) return personId.startsWith("00Q") ? personId : null;`,
    ],
    createdLeads,
  ),
  planted(
    "a lead is created without looking for it first",
    `${written}/write-leads.ts`,
    [
      "const known = earlier ?? (await crm.leads.find(grant, given, mapping));",
      "const known = (earlier ?? (await crm.leads.find(grant, given, mapping))) && null;",
    ],
    createdLeads,
  ),
  planted(
    "a creation is looked for by what the lead has become since",
    `${written}/write-leads.ts`,
    ["{ ...given.values, ...createdWith }", "given.values"],
    createdLeads,
  ),
  planted(
    "what a creation sent isn't kept",
    `${written}/write-leads.ts`,
    ["noteCreating(tx, due, lead.values)", "noteCreating(tx, due, {})"],
    createdLeads,
  ),
  planted(
    "a newer value in the CRM is overwritten",
    `${written}/plan-change.ts`,
    [`typeof known === "string" && valueOf(field) !== known`, `known === "no such value"`],
    writtenLeads,
  ),
  planted(
    "a newer status in the CRM is overwritten",
    `${written}/plan-change.ts`,
    [`return hasChanged ? "conflict" : "differs";`, `return hasChanged ? "differs" : "differs";`],
    writtenLeads,
  ),
  planted(
    "a newer owner in the CRM is overwritten",
    `${written}/plan-change.ts`,
    [
      `crmOwnerOf(record) === reported ? "differs" : "conflict"`,
      `crmOwnerOf(record) === reported ? "differs" : "differs"`,
    ],
    owners,
  ),
  planted(
    "an edit that is made while another is written gets lost",
    `${integrations}/outbox/outbox.table.ts`,
    [`state = case when version = \${due.version} then 'written' else 'waiting' end`, `state = 'written'`],
    writtenLeads,
  ),
  planted(
    "a lead that left its CRM is up to date there",
    `${written}/lead-writes.table.ts`,
    ["(written.creates or exists (", "(written.version > 0 or exists ("],
    writtenLeads,
  ),
  planted(
    "a page replaces what was read after it was asked for",
    `${leads}/insert/insert-leads.table.ts`,
    ["coalesce(had.crm_read_at > ${asOf}::timestamptz, false)", "(${asOf}::text is null)"],
    [`${integrations}/sync/pages-read-before.test.ts`],
  ),
  planted(
    "a page that the CRM prepared before counts as read now",
    `${integrations}/sync/sync-leads.ts`,
    ["before(asOf, page.preparedMs)", "before(asOf)"],
    [`${integrations}/sync/pages-read-before.test.ts`],
  ),
  planted(
    "a refusal by a proxy counts as one by the CRM",
    "packages/adapter-kit/src/crm-http.ts",
    ["options.readError(response) ?? unreadable()", `options.readError(response) ?? new CrmError("refused", name)`],
    ["crms/podio/conformance.test.ts"],
  ),
  planted(
    "a page of a proxy counts as a success",
    "packages/adapter-kit/src/crm-http.ts",
    ["if (isPage(response)) throw unreadable();", ""],
    ["crms/podio/conformance.test.ts"],
  ),
  planted(
    "what waits is written though sending was switched off",
    `${written}/send-changes.ts`,
    ["deleteChanges(tx, key)", "insertDifferences(tx, key, [])"],
    writtenLeads,
  ),
  planted(
    "another member for an owner is sent to the CRM",
    `${leads}/owners/reassign-owned-leads.ts`,
    [`await readCrm(tx, "on");`, `await readCrm(tx, "off");`],
    owners,
  ),
  planted(
    "every owner is sent when sending is switched on",
    `${leads}/owners/crm-owners.table.ts`,
    [
      "else ${isMember} and owner_id is distinct from ${mappedId(key)} end",
      "else ${isMember} and owner_id is not null end",
    ],
    owners,
  ),
  planted(
    "a next step in the CRM isn't taken",
    `${leads}/leads.table.ts`,
    [`"job_title", "next_step"] as const`, `"job_title"] as const`],
    owners,
  ),
  planted(
    "a sync uses up the CRM's requests",
    `${integrations}/sync/request-limit.ts`,
    ["limit.left >= limit.most * scarceShare", "limit.left >= 0"],
    [`${integrations}/sync/request-limit.test.ts`],
  ),
  planted(
    "the requests that are left are reported for ten seconds, too",
    `${integrations}/sync/request-limit.ts`,
    ["limit.windowMs < hourMs", "limit.windowMs < 0"],
    [`${integrations}/sync/request-limit.test.ts`],
  ),
  planted(
    "a call of another CRM isn't written",
    `${integrations}/outbox/outbox.table.ts`,
    ["where ${isDue} and ${isOpen}", "where ${isDue} and ${isOpen} and integrations.service in ('a', 'b')"],
    [`${integrations}/another-crm.test.ts`],
  ),
  planted(
    "another CRM isn't offered by its own name",
    `${integrations}/describe-crms.ts`,
    ["service: module.id", `service: "other"`],
    [`${integrations}/another-crm.test.ts`],
  ),
];
