import type { Break } from "./breaks.ts";

const server = "apps/server/src";
const leads = `${server}/features/leads`;
const ownFilters = "apps/server/src/http/own-filters.test.ts";
const integrations = `${server}/features/integrations`;

/** Of CRMs: access, syncs and who owns leads. */
export const syncBreaks: readonly Break[] = [
  {
    what: "moveCursor without its compare-and-set",
    file: `${integrations}/sync/sync-cursors.table.ts`,
    from: `    .where("sync_cursor", "is not distinct from", move.from)\n`,
    to: ``,
    tests: [`${integrations}/sync/sync-leads.test.ts`, `${integrations}/sync/killed-sync.test.ts`],
  },
  {
    what: "a CRM that takes long to prepare its leads is given up",
    file: `${integrations}/sync/sync-leads.ts`,
    from: `afterMs: ms, isFailure: false`,
    to: `afterMs: ms, isFailure: true`,
    tests: [`${integrations}/sync/bulk-first-load.test.ts`],
  },
  {
    what: "a set of a query job's results may be incomplete",
    file: "crms/salesforce/read-in-bulk.ts",
    from: `  if (found !== Number(answer.headers["sforce-numberofrecords"])) throw incomplete();\n`,
    to: ``,
    tests: ["crms/salesforce"],
  },
  {
    what: "a deleted lead comes back with the next full comparison",
    file: `${leads}/removal/erased-records.table.ts`,
    from: `as deleted where integration_id is not null`,
    to: `as deleted where false`,
    tests: [`${integrations}/sync/compare-leads.test.ts`],
  },
  {
    what: "a deletion doesn't wait for the page that a sync stores",
    file: `${leads}/removal/removed-leads.table.ts`,
    from: `order by id for share`,
    to: `order by id`,
    tests: [`${integrations}/sync/compare-leads.test.ts`],
  },
  {
    what: "a page deletes a lead that was read after it",
    file: `${integrations}/sync/sync-leads.ts`,
    from: `externalIds: page.deleted, asOf }`,
    to: `externalIds: page.deleted, asOf: null }`,
    tests: [`${integrations}/sync/pages-read-before.test.ts`],
  },
  {
    what: "leads are given to analysts",
    file: `${leads}/owners/require-owner.ts`,
    from: `role === "analyst" ?`,
    to: `role === "admin" ?`,
    tests: [`${leads}/owners/lead-owners.test.ts`],
  },
  {
    what: "a CRM's state counts twice",
    file: `${integrations}/access/crm-grants.table.ts`,
    from: `    .where("used_code_hash", "is", null)\n    .where("expires_at"`,
    to: `    .where("expires_at"`,
    tests: [`${integrations}/connect/crm-login.test.ts`],
  },
  {
    what: "a CRM's code is shown to another CRM",
    file: `${integrations}/connect/finish-login.ts`,
    from: `integration.service !== service`,
    to: `service === undefined`,
    tests: [`${integrations}/second-crm.test.ts`],
  },
  {
    what: "retryFailed without its organisation",
    file: `${integrations}/outbox/outbox.table.ts`,
    from: `where organisation_id = \${organisationId} and \${sql.ref`,
    to: `where \${organisationId}::uuid is not null and \${sql.ref`,
    tests: [ownFilters],
  },
  {
    what: "findCallNeedingLead without its organisation",
    file: `${integrations}/call-logging/call-activities.table.ts`,
    from: `    .where("calls.organisation_id", "=", organisationId)\n    .where("calls.call_sid"`,
    to: `    .where(sql<boolean>\`\${organisationId}::uuid is not null\`)\n    .where("calls.call_sid"`,
    tests: [ownFilters],
  },
  {
    what: "another organisation's lead is created in a CRM",
    file: `${integrations}/lead-write-back/create-in-crm.ts`,
    from: `    const lead = await requireLead(tx, { id: leadId, organisationId });\n`,
    to: `    const lead: { integrationId: string | null } = { integrationId: null };\n`,
    tests: [ownFilters],
  },
];
