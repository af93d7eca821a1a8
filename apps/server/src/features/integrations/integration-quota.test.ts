import { expect, test } from "vitest";
import { makeOrganisation, registerPerson, testApp } from "../../testing/test-app.ts";

const app = testApp();

async function newOwner() {
  const person = await registerPerson(app);
  await makeOrganisation(app, person);
  return person;
}

test("an organisation has at most twenty integrations", async () => {
  const { token } = await newOwner();
  const add = () =>
    app.ask("POST", "/v1/integrations", {
      token,
      body: { label: "CRM", service: "salesforce", workspaceDomain: app.crm.sandbox.domain },
    });
  const added = await Promise.all(Array.from({ length: 21 }, add));
  const refused = added.filter(({ statusCode }) => statusCode !== 201);
  expect(refused.map((each) => each.json())).toMatchObject([
    { status: 409, detail: expect.stringMatching(/^Your organisation has 20 integrations, which is the limit\./) },
  ]);
});

test("an integration’s label is one line", async () => {
  const { token } = await newOwner();
  const body = { label: "CRM\nof sales", service: "podio" };
  const refused = await app.ask("POST", "/v1/integrations", { token, body });
  expect(refused.json()).toMatchObject({ status: 422, detail: "Remove line breaks and control characters." });
});
