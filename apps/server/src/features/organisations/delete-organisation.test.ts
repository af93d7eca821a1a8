import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { makeOneOfEverything, type OneOfEverything } from "../../testing/one-of-everything.ts";
import { openEventStream } from "../../testing/open-event-stream.ts";
import { joinOrganisation, makeOrganisation, registerPerson, type TestPerson } from "../../testing/test-app.ts";
import { newRep, testAppWithCalls } from "../../testing/test-calls.ts";

const app = testAppWithCalls();
const remove = (by: TestPerson, id: string) => app.ask("DELETE", `/v1/organisations/${id}`, { token: by.token });
const activeOf = async (by: TestPerson) =>
  (await app.ask("GET", "/v1/users/me", { token: by.token })).json().activeOrganisation?.id ?? null;
const join = async (organisationId: string, role: "owner" | "admin" | "member") => {
  const person = await registerPerson(app);
  await joinOrganisation(app, person, { organisationId, role });
  return person;
};
const setBalance = (organisationId: string, balance: number) =>
  app.database.withTransaction({ organisationId }, (tx) =>
    tx.updateTable("organisations").set({ balance }).where("id", "=", organisationId).execute(),
  );

describe("an organisation with one of everything", () => {
  let everything: OneOfEverything;
  beforeAll(async () => {
    everything = await makeOneOfEverything(app);
  });
  afterAll(() => everything.close());

  /** Tables in which something of the organisation is left. */
  async function remains(organisationId: string): Promise<string[]> {
    return app.database.withTransaction({ system: "a test looks for what is left" }, async (tx) => {
      const { rows: tables } = await sql<{ name: string }>`
        select table_name as name from information_schema.columns
        where column_name = 'organisation_id' and table_schema = 'public'`.execute(tx);
      expect(tables.length).toBeGreaterThan(12);
      const left: string[] = [];
      for (const [name, column] of [
        ...tables.map((table) => [table.name, "organisation_id"]),
        ["organisations", "id"],
      ]) {
        const of = sql`select from ${sql.table(name ?? "")} where ${sql.ref(column ?? "")} = ${organisationId} limit 1`;
        if ((await of.execute(tx)).rows.length > 0) left.push(name ?? "");
      }
      return left;
    });
  }

  test("goes once its calls and numbers are gone: nothing of it is left, its CRM is told, and its people lose it at once", async () => {
    const { owner, ids } = everything;
    const id = ids["organisation"] ?? "";
    const other = await newRep(app);
    const member = await join(id, "member");
    const address = app.http.server.address();
    const origin = `http://127.0.0.1:${typeof address === "object" ? address?.port : address}`;
    const stream = await openEventStream(origin, { token: member.token });

    const withNumber = await remove(owner, id);
    expect([withNumber.statusCode, withNumber.json().type]).toEqual([409, "/api/docs#organisation-in-use"]);
    expect(withNumber.json().detail).toBe(
      "It still has a phone number, with a fee for each month. Act inside it and release it under Phone numbers first.",
    );
    await app.ask("DELETE", `/v1/phone-numbers/${ids["number"]}`, { token: owner.token });
    const inCall = await remove(owner, id);
    expect(inCall.json()).toMatchObject({
      status: 409,
      detail: "Somebody is in a call there. Delete it once every call has ended.",
    });
    expect([await activeOf(owner), await activeOf(member)]).toEqual([id, id]);
    await app.ask("POST", `/v1/calls/${ids["call"]}/hang-up`, { token: owner.token });
    app.crm.sandbox.faults.add({ path: /revoke/, delayMs: 1 });
    await vi.waitFor(async () => expect((await remove(owner, id)).statusCode).toBe(204));

    expect([await activeOf(owner), await activeOf(member)]).toEqual([null, null]);
    for (const by of [owner, member]) {
      expect((await app.ask("GET", "/v1/organisations", { token: by.token })).json()).toEqual([]);
      expect((await app.ask("GET", "/v1/leads", { token: by.token })).statusCode).toBe(403);
    }
    expect((await remove(owner, id)).statusCode).toBe(404);
    await stream.ended;
    await vi.waitFor(async () => expect(await remains(id)).toEqual([]), { timeout: 15_000, interval: 100 });
    // The request to give the access up has taken this.
    expect(app.crm.sandbox.faults.take("/services/oauth2/revoke")).toBeNull();
    expect(await remains(other.organisationId)).toContain("organisations");
  }, 30_000);
});

test("whoever acted in it goes on in the oldest other organisation of theirs, and who acts elsewhere stays there", async () => {
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
      expect(refused.json()).toMatchObject({ status: 403, detail: "Only its owner may delete an organisation." });
    }
    expect((await remove(stranger, id)).statusCode).toBe(404);
    await join(id, "owner");
    const refused = await remove(owner, id);
    expect(refused.json()).toMatchObject({ status: 409, detail: expect.stringContaining("Others own it too.") });
    expect(await activeOf(admin)).toBe(id);
  });

  test.each([
    [12_500_000, "$12.50 is left on its balance and would be lost."],
    [-3_200_000, "$3.20 is still owed on its balance."],
  ])("while its balance is %d, which is said in dollars", async (balance, words) => {
    const owner = await newRep(app);
    await setBalance(owner.organisationId, balance);
    const refused = await remove(owner, owner.organisationId);
    expect(refused.json()).toMatchObject({ status: 409, detail: expect.stringContaining(words) });
    await setBalance(owner.organisationId, 0);
    expect((await remove(owner, owner.organisationId)).statusCode).toBe(204);
  });
});

test("a link into an organisation that was deleted leads nowhere", async () => {
  const [owner, invited] = [await newRep(app), await registerPerson(app)];
  const body = { email: invited.email, role: "member" };
  await app.ask("POST", "/v1/invitations", { token: owner.token, body });
  const { token } = await app.mailTo(invited.email);
  await remove(owner, owner.organisationId);
  const accepted = await app.ask("POST", "/v1/invitations/accept", { token: invited.token, body: { token } });
  expect(accepted.statusCode).toBe(410);
});
