import type { Lead } from "@leadline/contract/leads";
import { expect, test } from "vitest";
import { makeOrganisation, registerPerson, testApp, type TestPerson } from "../../../testing/test-app.ts";

const app = testApp();
const bob = { firstName: "Bob", lastName: "Stone", email: "bob@stone.example", phone: "(202) 555-0100" };

async function newRep(): Promise<TestPerson> {
  const person = await registerPerson(app);
  await makeOrganisation(app, person);
  return person;
}
const addLead = async (rep: TestPerson, fields: Partial<Lead> = {}): Promise<Lead> =>
  (await app.ask("POST", "/v1/leads", { token: rep.token, body: { ...bob, ...fields } })).json();
const list = async (rep: TestPerson, query = ""): Promise<Lead[]> =>
  (await app.ask("GET", `/v1/leads?${query}`, { token: rep.token })).json();

test("every view of a lead shows whether its number is on the organisation's own do-not-call list", async () => {
  const [rep, stranger] = [await newRep(), await newRep()];
  const body = { phoneNumber: "+12025550100" };
  await app.ask("POST", "/v1/do-not-call", { token: stranger.token, body });
  const lead = await addLead(rep);
  await addLead(rep, { firstName: "Ann", email: "ann@field.example", phone: "+12025550199" });
  expect(lead.doNotCall).toBe(false);
  expect((await list(rep)).map(({ doNotCall }) => doNotCall)).toEqual([false, false]);
  await app.ask("POST", "/v1/do-not-call", { token: rep.token, body });
  const marked = async (query: string) => (await list(rep, query)).filter((one) => one.doNotCall).map(({ id }) => id);
  for (const query of ["", "sort=name", "search=stone", "search=stone&sort=name", "phoneNumber=%2B12025550100"])
    expect({ query, marked: await marked(query) }).toEqual({ query, marked: [lead.id] });
  const path = `/v1/leads/${lead.id}`;
  expect((await app.ask("GET", path, { token: rep.token })).json().doNotCall).toBe(true);
  const changed = await app.ask("PUT", path, { token: rep.token, body: { status: "Working" } });
  expect(changed.json()).toMatchObject({ status: "Working", doNotCall: true });
});
