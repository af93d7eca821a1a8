import { auditBreaks } from "./audit-breaks.ts";
import { faultBreaks } from "./fault-breaks.ts";
import { productBreaks } from "./product-breaks.ts";
import { syncBreaks } from "./sync-breaks.ts";
import { writingBreaks } from "./writing-breaks.ts";

/** A defect for scripts/plant-breaks.ts to plant; each of its files or folders of tests must fail. */
export interface Break {
  what: string;
  file: string;
  /** Occurs once in the file. */
  from: string;
  to: string;
  tests: readonly string[];
}

const server = "apps/server/src";
const sessions = `${server}/features/sessions`;
const leads = `${server}/features/leads`;
const calls = `${server}/features/calls`;
const trunk = "carriers/sip-trunk";
const ownFilters = [`${server}/http/own-filters.test.ts`];
const ofOrganisation = `.where("organisation_id", "=", key.organisationId)`;

const planted = (what: string, file: string, [from, to]: [string, string], tests: readonly string[]): Break => ({
  what,
  file,
  from,
  to,
  tests,
});

export const breaks: readonly Break[] = [
  ...auditBreaks,
  ...faultBreaks,
  ...productBreaks,
  ...syncBreaks,
  ...writingBreaks,
  planted(
    "access tokens need no expiry",
    `${sessions}/access-tokens.ts`,
    [`requiredClaims: ["exp", `, `requiredClaims: [`],
    [`${sessions}/access-tokens.test.ts`],
  ),
  planted(
    "access tokens are made without an expiry",
    `${sessions}/access-tokens.ts`,
    [`expiresIn: accessTokenMs, `, ``],
    [`${sessions}/access-tokens.test.ts`, `${sessions}/sign-in.test.ts`],
  ),
  planted(
    "access tokens for any audience",
    `${sessions}/access-tokens.ts`,
    [`      allowedAud: audience,\n`, ``],
    [`${sessions}/access-tokens.test.ts`],
  ),
  planted(
    "access tokens of any issuer",
    `${sessions}/access-tokens.ts`,
    [`      allowedIss: issuer,\n`, ``],
    [`${sessions}/access-tokens.test.ts`],
  ),
  planted(
    "the token's person isn't compared with the session's",
    `${sessions}/authenticate.ts`,
    [` || row.user_id !== claims.userId`, ``],
    [`${sessions}/access-tokens.test.ts`],
  ),
  planted(
    "a reused refresh token doesn't end its session",
    `${sessions}/refresh-session.ts`,
    [`    await endSessions(tx, { userId, sessionId });\n`, ``],
    [`${sessions}/sign-in.test.ts`],
  ),
  planted(
    "a refused sign-in counts against the account",
    `${sessions}/sign-in-throttle.ts`,
    [
      `  const isStrange = await`,
      `  await withTransaction({ system: "count", by: network }, (tx) => attemptsOfKey(tx, account).add());\n  const isStrange = await`,
    ],
    [`${sessions}/sign-in-throttle.test.ts`],
  ),
  planted(
    "sign-ins of one address aren't counted",
    `${sessions}/sign-in-throttle.ts`,
    [`      { key: address, most: 200 },\n`, ``],
    [`${sessions}/sign-in-throttle.test.ts`],
  ),
  planted(
    "members do what only admins may",
    `${server}/http/check-access.ts`,
    [`rank[identity.organisation.role] < rank[access]`, `rank[identity.organisation.role] > rank[access]`],
    [`${server}/http/check-access.test.ts`, `${server}/http/tenancy-matrix.test.ts`],
  ),
  planted(
    "a tab acts in an organisation that was switched elsewhere",
    `${server}/http/check-access.ts`,
    [`meant !== identity.organisation?.id`, `identity.organisation === null`],
    [`${server}/http/check-access.test.ts`, `${server}/features/organisations`],
  ),
  planted(
    "any text counts as a forwarded address",
    `${server}/http/address-of.ts`,
    [`isIP(entry) !== 0 && `, ``],
    [`${server}/http/create-http-server.test.ts`],
  ),
  planted(
    "findLead without its organisation",
    `${leads}/leads.table.ts`,
    [`...names])\n    ${ofOrganisation}\n`, `...names])\n`],
    ownFilters,
  ),
  planted(
    "changeLead without its organisation",
    `${leads}/leads.table.ts`,
    [`    })\n    ${ofOrganisation}\n`, `    })\n`],
    ownFilters,
  ),
  planted(
    "deleteSomeLeads deletes every organisation's",
    `${leads}/leads.table.ts`,
    [
      `.select("id")\n    .where("organisation_id", "=", organisationId)\n    .limit(limit)`,
      `.select("id")\n    .where(sql<boolean>\`\${organisationId}::uuid is not null\`)\n    .limit(limit)`,
    ],
    [`${server}/features/organisations/delete-organisation.test.ts`, ...ownFilters],
  ),
  planted(
    "leads are listed from every organisation",
    `${leads}/list/lead-pages.table.ts`,
    [
      "const all = [sql`organisation_id = ${page.organisationId}`, ",
      "const all = [sql`${page.organisationId}::uuid is not null`, ",
    ],
    ownFilters,
  ),
  planted(
    "deleteRate without its organisation",
    `${server}/features/rates/rates.table.ts`,
    [
      "where r.organisation_id = ${organisationId} and r.id = ${id}",
      "where ${organisationId}::uuid is not null and r.id = ${id}",
    ],
    ownFilters,
  ),
  planted(
    "findReceipt without its organisation",
    `${server}/features/receipts/receipts.table.ts`,
    [
      `    .where("organisation_id", "=", organisationId)\n    .where("top_up_id"`,
      `    .where(sql<boolean>\`\${organisationId}::uuid is not null\`)\n    .where("top_up_id"`,
    ],
    ownFilters,
  ),
  planted(
    "the call log lists every organisation",
    `${calls}/log/call-log.table.ts`,
    [`selectCalls(tx).where("calls.organisation_id", "=", organisationId)`, `selectCalls(tx)`],
    ownFilters,
  ),
  planted(
    "a person controls a teammate's call",
    `${calls}/in-call/find-own-live-call.ts`,
    [`live?.userId === caller.userId && isLive`, `live && isLive`],
    [`${calls}/calls.test.ts`, `${server}/http/tenancy-matrix.test.ts`],
  ),
  planted(
    "new tables' security isn't forced on their owner",
    `${server}/db/row-security.ts`,
    [`force row level security`, `enable row level security`],
    [`${server}/db/row-security.test.ts`],
  ),
  planted(
    "the left-out records of every organisation are open",
    `${server}/db/migrations/0008-left-out-records.ts`,
    [`ownOrganisation)`, `"true")`],
    [`${server}/db/row-policies.test.ts`],
  ),
  planted(
    "a host that only ends like the vendor's passes",
    "crms/salesforce/workspace-domain.ts",
    [`[".salesforce.com", `, `["salesforce.com", `],
    ["crms/salesforce"],
  ),
  planted(
    "a cloud's metadata address is public",
    "packages/adapter-kit/src/outbound/public-address.ts",
    [`  ["169.254.0.0", 16],\n`, ``],
    ["packages/adapter-kit/src/outbound", `${server}/features/carriers/check-private-networks.test.ts`],
  ),
  planted(
    "one public address among private ones is enough",
    "packages/adapter-kit/src/outbound/open-outbound.ts",
    [`!found.every(`, `!found.some(`],
    ["packages/adapter-kit/src/outbound"],
  ),
  planted(
    "carrier checks aren't throttled",
    `${server}/features/carriers/check-carrier.ts`,
    [`  await countOutboundConnection(deps.database, caller.userId);\n`, ``],
    [`${server}/features/carriers/check-private-networks.test.ts`],
  ),
  planted(
    "a provider that knows this server by its address is used at another of its servers",
    `${server}/features/carriers/refuse-taken-identity.ts`,
    [`(isIP(server) === 0 ? getDomain(server, { allowPrivateDomains: true }) : null) ?? server`, `server`],
    [`${server}/features/carriers/servers-of-one-provider.test.ts`],
  ),
  planted(
    "two organisations use one local port",
    `${server}/features/carriers/refuse-taken-identity.ts`,
    [`ours.localPort !== null && `, `ours.localPort === 0 && `],
    [`${server}/features/carriers/one-tenant-a-trunk.test.ts`],
  ),
  planted(
    "a stranger's carrier is used at a server that the administrator gave to another organisation",
    `${server}/features/carriers/identify-settings.ts`,
    [` || isRefusedByAdministrator(organisationId, identity)`, ``],
    [`${server}/features/carriers/one-tenant-a-trunk.test.ts`],
  ),
  planted(
    "shared-cost numbers are dialled",
    `${server}/features/limits/costly-numbers.ts`,
    [`  "SHARED_COST",\n`, ``],
    [`${server}/features/limits/limits.test.ts`],
  ),
  planted(
    "the daily spending limit refuses no call",
    `${server}/features/limits/refuse-over-limits.ts`,
    [`used.dailySpend >= dailySpend || `, `dailySpend < 0 && `],
    [`${server}/features/limits/limits.test.ts`],
  ),
  planted(
    "the limit of simultaneous calls lets one more in",
    `${server}/features/limits/refuse-over-limits.ts`,
    [`used.concurrentCalls > concurrentCalls`, `used.concurrentCalls > concurrentCalls + 1`],
    [`${server}/features/limits/limits.test.ts`],
  ),
  planted(
    "a limit warns of its end and doesn't end the call",
    `${calls}/in-call/enforce-call-bounds.ts`,
    [`setTimeout(end, inMs)`, `setTimeout(() => {}, end.length)`],
    [`${calls}/in-call/enforce-call-bounds.test.ts`],
  ),
  planted(
    "the same key with another body is the same call",
    `${calls}/outbound/start-call.ts`,
    [`earlier.requestHash !== requestHash`, `earlier.requestHash === ""`],
    [`${calls}/calls.test.ts`],
  ),
  planted(
    "a crash frees the idempotency key",
    `${calls}/abandoned-calls.table.ts`,
    [`...(neverDialled && { idempotency_key: null })`, `...(!neverDialled && { idempotency_key: null })`],
    [`${calls}/recovery/end-abandoned-calls.test.ts`, `${server}/calls-survive-faults.test.ts`],
  ),
  planted(
    "do-not-call numbers are dialled",
    `${calls}/outbound/record-outbound-call.ts`,
    [
      `isOutside ? refuseDoNotCall(tx, call) : undefined`,
      `refuseDoNotCall.length > 9 ? refuseDoNotCall(tx, call) : undefined`,
    ],
    [`${server}/features/do-not-call/do-not-call.test.ts`],
  ),
  planted(
    "a call that has ended goes on",
    "packages/contract/src/call-state.ts",
    [`  completed: [],`, `  completed: ["in-progress"],`],
    [`${calls}/in-call/change-call.test.ts`, `${calls}/calls.test.ts`],
  ),
  planted(
    "formulas are exported as they are",
    `${server}/csv/escape-formula.ts`,
    ["? `'${marked}` : marked", "? marked : marked"],
    [`${server}/csv`],
  ),
  planted(
    "an import's rows may have any number of columns",
    `${server}/features/lead-imports/reading/parse-row.ts`,
    [`cells.length === maxColumns`, `cells.length < 0`],
    [`${server}/features/lead-imports/hostile-files.test.ts`],
  ),
  planted(
    "a From that vouches for itself is shown before the network's word",
    `${trunk}/calls/caller-of.ts`,
    [`const shown = told ?? own;`, `const shown = own ?? told;`],
    [`${trunk}/calls/inbound-call.test.ts`, `${trunk}/calls/odd-inbound-calls.test.ts`],
  ),
  planted(
    "the SIP trace shows credentials",
    `${trunk}/without-secrets.ts`,
    [".replaceAll(credentials, `$1$2 ${hidden}`)", `.replaceAll(credentials, "$&")`],
    [`${trunk}/sip-trace.test.ts`],
  ),
];
