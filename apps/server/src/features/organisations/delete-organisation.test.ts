import { randomUUID } from "node:crypto";
import type { CarrierModule } from "@leadline/adapter-kit/carrier";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { z } from "zod";
import { carrierModules } from "../../adapters.ts";
import { makeOneOfEverything, type OneOfEverything } from "../../testing/one-of-everything.ts";
import { adjustBalance } from "../../testing/set-balance.ts";
import { openEventStream } from "../../testing/open-event-stream.ts";
import { joinOrganisation, makeOrganisation, registerPerson, type TestPerson } from "../../testing/test-app.ts";
import { newRep, testAppWithCalls } from "../../testing/test-calls.ts";

/** Records when the organisation's carriers are closed. */
const closedHosts: string[] = [];
const kind = "diary";
const diary: CarrierModule = {
  id: kind,
  name: "Diary",
  capabilities: { hold: false, transfer: false, inbound: true, digits: null, numbers: false },
  settings: z.object({ host: z.string(), password: z.string().meta({ secret: true }) }),
  open: async ({ host }) => ({
    dial: () => Promise.reject(new Error("It carries no calls.")),
    close: async () => void closedHosts.push(String(host)),
  }),
};
const app = testAppWithCalls([...carrierModules, diary]);
const remove = (by: TestPerson, id: string) => app.ask("DELETE", `/v1/organisations/${id}`, { token: by.token });
const activeOf = async (by: TestPerson) =>
  (await app.ask("GET", "/v1/users/me", { token: by.token })).json().activeOrganisation?.id ?? null;
const join = async (organisationId: string, role: "owner" | "admin" | "member") => {
  const person = await registerPerson(app);
  await joinOrganisation(app, person, { organisationId, role });
  return person;
};
const setBalance = (organisationId: string, balanceMicros: number) =>
  adjustBalance(app.database, { organisationId, balanceMicros });

/** Tables with rows of the organisation. */
async function remains(organisationId: string): Promise<string[]> {
  return app.database.withTransaction({ system: "a test looks for what is left" }, async (tx) => {
    const { rows: tables } = await sql<{ name: string }>`
        select table_name as name from information_schema.columns
        where column_name = 'organisation_id' and table_schema = 'public'`.execute(tx);
    expect(tables.length).toBeGreaterThan(12);
    const left: string[] = [];
    for (const [name, column] of [...tables.map((table) => [table.name, "organisation_id"]), ["organisations", "id"]]) {
      const of = sql`select from ${sql.table(name ?? "")} where ${sql.ref(column ?? "")} = ${organisationId} limit 1`;
      if ((await of.execute(tx)).rows.length > 0) left.push(name ?? "");
    }
    return left;
  });
}

/** During `work`, the organisation's own row can't be deleted, but everything else can. */
const keepRowDuring = (organisationId: string, work: () => Promise<void>) =>
  app.database.withTransaction({ system: "a test keeps an organisation" }, async (tx) => {
    await sql`select from organisations where id = ${organisationId} for key share`.execute(tx);
    await work();
  });

/** Tables in which every organisation has a few rows, however long it was used. */
const small = [
  "call_outcomes",
  "lead_changes",
  "lead_merges",
  "ledger_accounts",
  "live_event_horizons",
  "organisation_limits",
  "organisations",
  "receipts",
  "top_ups",
  "voicemail_greetings",
  "voicemail_settings",
];

describe("an organisation with one of everything", () => {
  let everything: OneOfEverything;
  beforeAll(async () => {
    everything = await makeOneOfEverything(app);
  });
  afterAll(() => everything.close());

  test("is deleted once its calls and numbers are gone: nothing is left, its CRM access is revoked, and its people lose it at once", async () => {
    const { owner, ids } = everything;
    const id = ids["organisation"] ?? "";
    const other = await newRep(app);
    const member = await join(id, "member");
    const address = app.http.server.address();
    const origin = `http://127.0.0.1:${typeof address === "object" ? address?.port : address}`;
    const stream = await openEventStream(origin, { token: member.token });

    const account = `/v1/carrier-accounts/${ids["carrierAccount"]}?leave=everything` as const;
    expect((await app.ask("DELETE", account, { token: owner.token })).statusCode).toBe(204);
    const withNumber = await remove(owner, id);
    expect([withNumber.statusCode, withNumber.json().type]).toEqual([409, "/api/docs#organisation-in-use"]);
    expect(withNumber.json().detail).toBe(
      "It still has 2 phone numbers, with a fee for each month. Switch to it and release them under Phone numbers first.",
    );
    const numbers: { id: string }[] = (await app.ask("GET", "/v1/phone-numbers", { token: owner.token })).json();
    for (const number of numbers) await app.ask("DELETE", `/v1/phone-numbers/${number.id}`, { token: owner.token });
    expect((await remove(owner, id)).json().detail).toContain("A top-up is still waiting for payment.");
    await app.ask("POST", `/v1/billing/top-ups/${ids["topUp"]}/cancel`, { token: owner.token });
    const inCall = await remove(owner, id);
    expect(inCall.json()).toMatchObject({
      status: 409,
      detail: "Someone in this organisation is on a call. Delete it once all calls have ended.",
    });
    expect([await activeOf(owner), await activeOf(member)]).toEqual([id, id]);
    await app.ask("POST", `/v1/calls/${ids["call"]}/hang-up`, { token: owner.token });
    app.crm.sandbox.faults.add({ path: /revoke/, delayMs: 1 });
    await fillWhatGrows(owner, ids);
    const files = await app.store.listOlderThan(Infinity);
    await keepRowDuring(id, async () => {
      await vi.waitFor(async () => expect((await remove(owner, id)).statusCode).toBe(204));
      // Tables that can be large are emptied in slices, before the statement that deletes the rest.
      const much = async () => (await remains(id)).filter((table) => !small.includes(table));
      await vi.waitFor(async () => expect(await much()).toEqual([]));
      expect(await remains(id)).toContain("organisations");
    });

    expect([await activeOf(owner), await activeOf(member)]).toEqual([null, null]);
    for (const by of [owner, member]) {
      expect((await app.ask("GET", "/v1/organisations", { token: by.token })).json()).toEqual([]);
      expect((await app.ask("GET", "/v1/leads", { token: by.token })).statusCode).toBe(403);
    }
    expect((await remove(owner, id)).statusCode).toBe(404);
    await stream.ended;
    await vi.waitFor(async () => expect(await remains(id)).toEqual([]), { interval: 100 });
    // Voicemail messages are deleted by now. Other files without a row are deleted by the nightly sweep.
    expect(await app.store.listOlderThan(Infinity)).toHaveLength(files.length - 1);
    // The request to revoke the access used up this fault.
    expect(app.crm.sandbox.faults.take("/services/oauth2/revoke")).toBeNull();
    expect(await remains(other.organisationId)).toContain("organisations");
  });
});

/** What oneOfEverything doesn't create: an import with failed and duplicate rows, a sync, a callback. */
async function fillWhatGrows(owner: TestPerson, ids: OneOfEverything["ids"]): Promise<void> {
  const { organisation: organisationId = "", leadImport: importId = "", integration: integrationId = "" } = ids;
  await app.database.withTransaction({ organisationId, userId: owner.id }, async (tx) => {
    const failed = { import_id: importId, organisation_id: organisationId, message: "No email." };
    await tx
      .insertInto("lead_import_errors")
      .values([1, 2, 3].map((row) => ({ ...failed, row_number: row })))
      .execute();
    const duplicate = { by_number: true, lead_id: null, earlier_row: 1, imported: false };
    const fields = { firstName: "Bob", lastName: "Stone", email: "", phone: "+12025550100" };
    await tx
      .insertInto("lead_import_duplicates")
      .values({ import_id: importId, organisation_id: organisationId, row_number: 4, ...duplicate, fields })
      .execute();
    await tx
      .insertInto("sync_runs")
      .values({ id: randomUUID(), organisation_id: organisationId, integration_id: integrationId })
      .execute();
    const day = { phone_number: "+12025550107", follow_up_on: "2030-01-01" };
    await tx
      .insertInto("follow_ups")
      .values({ organisation_id: organisationId, ...day })
      .execute();
  });
  for (const balance of [5, 0]) await setBalance(organisationId, balance);
  const imports = ["lead_import_errors", "lead_import_duplicates", "lead_imports"];
  const left = [...imports, "sync_runs", "follow_ups", "do_not_call", "live_events", "files", "ledger_transfers"];
  expect(await remains(organisationId)).toEqual(expect.arrayContaining(left));
}

test("its carrier is closed and deleted with its secret before the response, whatever happens to the rest", async () => {
  const owner = await newRep(app);
  const settings = { host: `${randomUUID()}.example`, password: "made up" };
  const body = { kind, label: "Diary", settings };
  expect((await app.ask("POST", "/v1/carriers", { token: owner.token, body })).statusCode).toBe(201);
  const id = owner.organisationId;
  expect(await remains(id)).toEqual(expect.arrayContaining(["carriers", "carrier_secrets"]));
  await keepRowDuring(id, async () => {
    expect((await remove(owner, id)).statusCode).toBe(204);
    expect(closedHosts).toEqual([settings.host]);
    expect((await remains(id)).filter((table) => table.startsWith("carrier"))).toEqual([]);
  });
});

test("people active in it move to their oldest other organisation, and others stay in theirs", async () => {
  const owner = await newRep(app);
  const oldest = owner.organisationId;
  await makeOrganisation(app, owner);
  const { id } = await makeOrganisation(app, owner);
  const member = await join(id, "member");
  const elsewhere = await makeOrganisation(app, member);
  expect((await remove(owner, id)).statusCode).toBe(204);
  expect([await activeOf(owner), await activeOf(member)]).toEqual([oldest, elsewhere.id]);
});

describe("an organisation is not deleted", () => {
  test("by a member, an admin or a stranger, nor by one of several owners", async () => {
    const owner = await newRep(app);
    const id = owner.organisationId;
    const [admin, member, stranger] = [await join(id, "admin"), await join(id, "member"), await newRep(app)];
    for (const by of [admin, member]) {
      const refused = await remove(by, id);
      expect(refused.json()).toMatchObject({ status: 403, detail: "Only an owner can delete an organisation." });
    }
    expect((await remove(stranger, id)).statusCode).toBe(404);
    await join(id, "owner");
    const refused = await remove(owner, id);
    expect(refused.json()).toMatchObject({ status: 409, detail: expect.stringContaining("It has other owners.") });
    expect(await activeOf(admin)).toBe(id);
  });

  test.each([
    [12_500_000, "$12.50 remains on its balance and would be lost."],
    [-3_200_000, "$3.20 is still owed on its balance."],
  ])("while its balance is %d, which is shown in dollars", async (balance, words) => {
    const owner = await newRep(app);
    await setBalance(owner.organisationId, balance);
    const refused = await remove(owner, owner.organisationId);
    expect(refused.json()).toMatchObject({ status: 409, detail: expect.stringContaining(words) });
    await setBalance(owner.organisationId, 0);
    expect((await remove(owner, owner.organisationId)).statusCode).toBe(204);
  });
});

test("a link into a deleted organisation opens nothing", async () => {
  const [owner, invited] = [await newRep(app), await registerPerson(app)];
  const body = { email: invited.email, role: "member" };
  await app.ask("POST", "/v1/invitations", { token: owner.token, body });
  const { token } = await app.mailTo(invited.email);
  await remove(owner, owner.organisationId);
  const accepted = await app.ask("POST", "/v1/invitations/accept", { token: invited.token, body: { token } });
  expect(accepted.statusCode).toBe(410);
});
