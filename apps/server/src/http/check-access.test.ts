import { organisationHeader } from "@leadline/contract/organisation-header";
import { expect, test } from "vitest";
import { makeOrganisation, registerPerson, testApp } from "../testing/test-app.ts";

const app = testApp();

test("a request for an organisation is refused after the user has switched to another, and has no effect", async () => {
  const person = await registerPerson(app);
  const former = await makeOrganisation(app, person);
  const active = await makeOrganisation(app, person);
  const body = { firstName: "Bob", lastName: "Stone", email: "bob@stone.example", phone: "+12025550100" };
  const add = (headers: Record<string, string>) => app.ask("POST", "/v1/leads", { token: person.token, body, headers });

  const refused = await add({ [organisationHeader]: former.id });
  expect([refused.statusCode, refused.json().type]).toEqual([409, "/api/docs#organisation-switched"]);
  expect((await app.ask("GET", "/v1/leads", { token: person.token })).json()).toEqual([]);
  expect((await add({ [organisationHeader]: active.id })).statusCode).toBe(201);
  // The calls from the specification name no organisation.
  expect((await add({})).statusCode).toBe(201);
});
