import { expect, test } from "vitest";
import { demoPerson } from "./demo-person.ts";
import { seedDemo } from "./seed-demo.ts";
import { signIn, testApp } from "./testing/test-app.ts";

const app = testApp();

test("the demo user can sign in and act in an organisation, however often they were created", async () => {
  await seedDemo(app.database);
  await seedDemo(app.database);
  const { token } = await signIn(app, demoPerson);
  const organisations = (await app.ask("GET", "/v1/organisations", { token })).json();
  expect(organisations).toMatchObject([{ name: "Demo Outfitters", role: "owner" }]);
  const me = (await app.ask("GET", "/v1/users/me", { token })).json();
  expect(me.activeOrganisation.id).toBe(organisations[0].id);
});
