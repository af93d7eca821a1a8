import { randomUUID } from "node:crypto";
import type { Endpoint } from "@leadline/contract/endpoint";
import type { PhoneNumber } from "@leadline/contract/phone-numbers";
import { sql } from "kysely";
import { afterAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { carrierModules } from "../adapters.ts";
import { testForeignOrganisation } from "../testing/foreign-organisation.ts";
import {
  bodiesThatName,
  everyEndpoint,
  isAddressed,
  isRefused,
  neededQueries,
  passwordFor,
  pathsWith,
  validBodies,
} from "../testing/foreign-requests.ts";
import { makeOneOfEverything, type OneOfEverything, ownSilentAddress } from "../testing/one-of-everything.ts";
import { databaseWithOpenPolicies } from "../testing/own-database.ts";
import { readEverything } from "../testing/read-everything.ts";
import { testAppWithCalls } from "../testing/test-calls.ts";

const database = await databaseWithOpenPolicies();
// Registered before the app's own afterAll, so it runs after those.
afterAll(() => database.drop());
const app = testAppWithCalls(carrierModules, { databaseUrl: database.url });

/** Closed after the test, however it ends: the app waits for its open streams. */
async function oneOfEverything(): Promise<OneOfEverything> {
  const made = await makeOneOfEverything(app);
  onTestFinished(() => made.close());
  return made;
}

/**
 * For each endpoint with a body, one that affects one's own organisation. With a path parameter, only for a body that
 * names things of one's own.
 */
const ownBodies: Record<string, (ids: Record<string, string>) => object> = {
  updateAuditSettings: () => ({ keptDays: 90 }),
  // Each lower than before, because raising one needs a password.
  updateLimits: () => ({ concurrentCalls: 7, callsPerMinute: 7, dailySpend: 770_000, blockedPrefixes: ["+4477"] }),
  setBillingMode: () => ({ mode: "metered" }),
  inviteMember: () => ({ email: `${randomUUID()}@example.com`, role: "member" }),
  startCall: () => ({ phoneNumber: "+12025550100" }),
  chooseDefaultCallerId: () => ({ number: null }),
  changeLocalPresence: () => ({ enabled: true }),
  updateVoicemailSettings: () => ({ enabled: false, ringSeconds: 12, keepDays: 7, greetingId: null }),
  createCarrier: () => ({
    kind: "sip-trunk",
    label: "Near",
    settings: { host: ownSilentAddress(), authentication: "ip" },
  }),
  connectCarrierAccount: () => ({ vendor: "nobody", label: "Near", key: {} }),
  orderCarriers: ({ carrier = "" }) => ({ ids: [carrier] }),
  checkCarrier: () => bodiesThatName["checkCarrier"]?.("") ?? {},
  orderNumber: () => ({ accountId: randomUUID(), countryCode: "US", number: "+12025550100" }),
  buyPhoneNumber: () => ({ number: "+525550000000" }),
  createLead: () => ({ firstName: "Near", lastName: "By", email: "near@by.example", phone: "+12025550107" }),
  changeLeads: ({ lead = "" }) => ({ ids: [lead], action: { kind: "status", status: "Working" } }),
  keepLeadsSeparate: () => ({ kind: "phone", value: "+12025550107" }),
  mergeLeads: ({ lead = "" }) => ({ keepId: lead, otherIds: [randomUUID()] }),
  saveLeadView: () => ({ name: "Near by", shared: true, filter: {} }),
  createCallOutcome: () => ({ name: "Near by" }),
  orderCallOutcomes: ({ outcome = "" }) => ({ ids: [outcome] }),
  // The foreign organisation has the same number on its list.
  addToDoNotCall: ({ doNotCall = "" }) => ({ phoneNumber: doNotCall }),
  updateBillingDetails: () => ({ name: "Near", address: "", taxNumber: "" }),
  startTopUp: () => ({ amountMicros: 5_000_000 }),
  updateBalanceSettings: () => ({ lowBelowMicros: 1_000_000 }),
  openMediaConnection: () => ({ offer: "v=0" }),
  createIntegration: () => ({ service: "sandbox", label: "Near by" }),
  finishCrmLogin: ({ integration = "" }) => ({ code: "code", integrationId: integration }),
  finishServiceLogin: ({ integration = "" }) => ({ code: "code", integrationId: integration }),
  chooseLeadOfCall: ({ lead = "" }) => ({ leadId: lead }),
  createLeadInCrm: ({ integration = "" }) => ({ integrationId: integration }),
  eraseLead: () => ({}),
};
const bodyOf = (name: string, endpoint: Endpoint, { owner, ids }: OneOfEverything): object | undefined => {
  if (endpoint.body === undefined) return undefined;
  const body = ownBodies[name]?.(ids) ?? (isAddressed(endpoint) ? validBodies[name] : undefined);
  expect(body, `${name} needs an entry in ownBodies`).toBeDefined();
  return { ...body, ...passwordFor(endpoint, owner) };
};

/** Endpoints that would spoil the others' things, and what each may have. */
const only: Record<string, string> = { createLeadInCrm: "lead", eraseLead: "leadToErase" };

/** Comes first: a note of the call would be a retry as well. */
const first = ["retryWritingCall"];
/** Endpoints that come last, in this order, as they take away what others need. */
const last = ["hangUpCall", "closeMediaConnection", "deleteLead", "disconnectCarrierAccount", "deleteOrganisation"];
const changing = everyEndpoint
  .filter(([, { method, files }]) => method !== "GET" && files === undefined)
  .filter(
    ([name, { access }]) => !/public|signed-in/.test(access) || /^((update|delete)Organisation|deleteFile)$/.test(name),
  )
  .toSorted(
    ([a, one], [b, other]) =>
      first.indexOf(b) - first.indexOf(a) ||
      last.indexOf(a) - last.indexOf(b) ||
      Number(one.method === "DELETE") - Number(other.method === "DELETE"),
  );

/** A call whose end is being written is refused for a moment, and its client tries again. */
const askUntilReady = (ask: () => ReturnType<typeof app.ask>): ReturnType<typeof app.ask> =>
  vi.waitFor(
    async () => {
      const answer = await ask();
      if (answer.statusCode === 503) throw new Error(answer.body);
      return answer;
    },
    { timeout: 30_000, interval: 100 },
  );

/** The addressed endpoints at which the owner reads nothing of theirs. */
async function withoutReach({ owner, ids }: OneOfEverything): Promise<string[]> {
  const names: string[] = [];
  for (const [name, endpoint] of everyEndpoint) {
    if (endpoint.method !== "GET" || !isAddressed(endpoint)) continue;
    const query = neededQueries[name] ? `?${new URLSearchParams(neededQueries[name])}` : "";
    const answers = await Promise.all(
      pathsWith(endpoint, ids).map((path) => app.ask("GET", `${path}${query}`, { token: owner.token })),
    );
    if (answers.every((answer) => isRefused(name, answer))) names.push(name);
  }
  return names;
}

test("row-level security hides nothing here, so that a filter in the code is tested alone", async () => {
  const scope = { organisationId: randomUUID(), userId: randomUUID() };
  const { rows } = await app.database.withTransaction(scope, (tx) =>
    sql<{ hidden: string }>`
      select relname as hidden from pg_class c where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
        and not exists (select 1 from pg_policy p where p.polrelid = c.oid and p.polname = 'opened')`.execute(tx),
  );
  expect(rows).toEqual([]);
});

describe("every endpoint, with row-level security open,", () => {
  testForeignOrganisation(app);

  test("returns the same, whatever another organisation contains", async () => {
    const own = await oneOfEverything();
    const before = await readEverything(app, own);
    expect(Object.keys(before).length).toBeGreaterThan(70);
    await oneOfEverything();
    const after = await readEverything(app, own);
    for (const [asked, answer] of Object.entries(after)) expect.soft(answer, asked).toEqual(before[asked]);
  });

  test("changes nothing in another organisation, whatever it changes in one's own", async () => {
    const [own, another] = [await oneOfEverything(), await oneOfEverything()];
    const before = await readEverything(app, another);
    const bought: PhoneNumber[] = (await app.ask("GET", "/v1/phone-numbers", { token: own.owner.token })).json();
    const numbers = Object.fromEntries(bought.map(({ id, number }) => [number, id]));
    // The account and session are kept, so that the following requests are authorised.
    const { user: _user, session: _session, ...things } = own.ids;
    const ids: Record<string, string> = { ...things, ...numbers, phoneNumber: "+12025550107" };
    const done = new Set<string>();
    const unreached = await withoutReach(own);
    let since: string[] = [];
    for (const [name, endpoint] of changing) {
      const body = bodyOf(name, endpoint, own);
      const query = neededQueries[name] ? `?${new URLSearchParams(neededQueries[name])}` : "";
      const options = { token: own.owner.token, ...(body && { body }) };
      const namesOwn = isAddressed(endpoint) && name in ownBodies;
      for (const path of namesOwn ? pathsWith(endpoint, another.ids) : []) {
        const answer = await app.ask(endpoint.method, path, options);
        expect.soft(isRefused(name, answer), `${name} ${path}: ${answer.body}`).toBe(true);
      }
      let isReached = false;
      const single = ids[only[name] ?? ""];
      for (const path of new Set(pathsWith(endpoint, single === undefined ? ids : { single }))) {
        const answer = await askUntilReady(() => app.ask(endpoint.method, `${path}${query}`, options));
        expect.soft(answer.statusCode, `${name} ${path}: ${answer.body}`).toBeLessThan(500);
        if (answer.statusCode < 300) done.add(name);
        isReached ||= !isRefused(name, answer);
      }
      if (!isReached && isAddressed(endpoint)) unreached.push(name);
      since.push(name);
      // Each time would take too long.
      if (since.length < 25) continue;
      expect.soft(await readEverything(app, another), since.join(", ")).toEqual(before);
      since = [];
    }
    // Otherwise their refusal of a stranger says nothing.
    expect(unreached).toEqual([]);
    expect(done.size).toBeGreaterThan(30);
    expect([...done]).toContain("deleteOrganisation");
    const { organisation } = own.ids;
    await vi.waitFor(
      async () => {
        const left = await app.database.withTransaction({ system: "look whether it has gone" }, (tx) =>
          tx
            .selectFrom("organisations")
            .select("id")
            .where("id", "=", organisation ?? "")
            .execute(),
        );
        expect(left).toEqual([]);
      },
      { timeout: 30_000, interval: 100 },
    );
    expect(await readEverything(app, another)).toEqual(before);
  });
});
