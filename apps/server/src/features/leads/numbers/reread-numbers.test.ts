import type { Lead } from "@leadline/contract/leads";
import { expect, test, vi } from "vitest";
import { testApp } from "../../../testing/test-app.ts";
import { newRep, type Rep } from "../../../testing/test-calls.ts";
import { insertLeads } from "../insert/insert-leads.ts";
import { rereadNumbers } from "./reread-numbers.ts";

const app = testApp();
const leadWith = (phone: string) => ({ firstName: "Bob", lastName: "Stone", email: "bob@stone.example", phone });
const add = async (rep: Rep, phone: string): Promise<Lead> =>
  (await app.ask("POST", "/v1/leads", { token: rep.token, body: leadWith(phone) })).json();
const numberOf = async (rep: Rep, { id }: Lead): Promise<string | null> =>
  (await app.ask("GET", `/v1/leads/${id}`, { token: rep.token })).json().phoneNumber;
const setCountry = (rep: Rep, defaultCountry: string) =>
  app.ask("PUT", `/v1/organisations/${rep.organisationId}`, { token: rep.token, body: { defaultCountry } });

test("a new default country gives existing leads their new numbers", async () => {
  const [rep, other] = [await newRep(app), await newRep(app)];
  const berlin = await add(rep, "030 901820");
  const abroad = await add(rep, "+1 202 555 0100");
  const us = await add(rep, "1-202-555-0100");
  const foreign = await add(other, "030 901820");
  expect(berlin.phoneNumber).toBeNull();
  expect((await setCountry(rep, "DE")).statusCode).toBe(200);
  await vi.waitFor(async () => expect(await numberOf(rep, berlin)).toBe("+4930901820"));
  expect(await numberOf(rep, abroad)).toBe("+12025550100");
  // Not a German number, so it stays as it was.
  expect([us.phoneNumber, await numberOf(rep, us)]).toEqual(["+12025550100", "+12025550100"]);
  expect(await numberOf(other, foreign)).toBeNull();
  const found = await app.ask("GET", "/v1/leads?phoneNumber=%2B4930901820", { token: rep.token });
  expect(found.json()).toMatchObject([{ id: berlin.id }]);
});

test("reads many leads in slices, each continuing after the one before", async () => {
  const rep = await newRep(app);
  const { organisationId } = rep;
  const scope = { organisationId };
  const leads = Array.from({ length: 1_200 }, (_, index) => leadWith(`030 ${901_000 + index}`));
  await app.database.withTransaction(scope, (tx) =>
    insertLeads(tx, { organisationId, leads, skipKnownNumbers: false }),
  );
  const reread = (after: number) =>
    app.database.withTransaction(scope, async (tx) => {
      await tx.updateTable("organisations").set({ default_country: "DE" }).where("id", "=", organisationId).execute();
      return rereadNumbers(tx, { organisationId, after });
    });
  const unread = async (): Promise<number> => {
    const row = await app.database.withTransaction(scope, (tx) =>
      tx
        .selectFrom("leads")
        .select((query) => query.fn.countAll<number>().as("left"))
        .where("organisation_id", "=", organisationId)
        .where("phone_number", "is", null)
        .executeTakeFirstOrThrow(),
    );
    return Number(row.left);
  };
  const reached = await reread(0);
  expect(reached).toBeGreaterThan(0);
  expect(await unread()).toBe(200);
  expect(await reread(reached ?? 0)).toBeNull();
  expect(await unread()).toBe(0);
});
