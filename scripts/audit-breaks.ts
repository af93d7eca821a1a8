import type { Break } from "./breaks.ts";

const server = "apps/server/src";
const log = `${server}/features/audit-log/audit-log.test.ts`;
const tables = `${server}/db/audited-tables.test.ts`;

/** Those of the audit log. */
export const auditBreaks: readonly Break[] = [
  {
    what: "a transaction doesn't name its request",
    file: `${server}/db/transaction.ts`,
    from: `mode === "read write" ? currentAudit() : null`,
    to: `null`,
    tests: [log],
  },
  {
    what: "work after the response is recorded as the request's",
    file: `${server}/db/audit-context.ts`,
    from: `    store.context = null;\n`,
    to: ``,
    tests: [log],
  },
  {
    what: "another process doesn't learn whose request it handles",
    file: `${server}/features/processes/reach-owner.ts`,
    from: `audit: currentAudit(), `,
    to: `audit: null, `,
    tests: [`${server}/features/processes/reach-owner.test.ts`],
  },
  {
    what: "the audit log shows secrets",
    file: `${server}/db/audited-tables.ts`,
    from: `type === "bytea" || secretName.test(name) || `,
    to: ``,
    tests: [tables],
  },
  {
    what: "new tables aren't audited",
    file: `${server}/db/audited-tables.ts`,
    from: `name === "organisation_id") && !(table in unaudited)`,
    to: `name === "organisation_id") && table === "leads"`,
    tests: [tables],
  },
];
