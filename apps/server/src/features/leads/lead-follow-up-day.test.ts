import { expect, test } from "vitest";
import { makeOrganisation, registerPerson, testApp } from "../../testing/test-app.ts";

const app = testApp();
const bob = { firstName: "Bob", lastName: "Stone", email: "bob@stone.example", phone: "(202) 555-0100" };

test("a lead has no day to call back that is over, unless it was set before", async () => {
  const rep = await registerPerson(app);
  const { id: organisationId } = await makeOrganisation(app, rep);
  const refused = await app.ask("POST", "/v1/leads", {
    token: rep.token,
    body: { ...bob, followUpOn: "2026-01-05" },
  });
  const errors = [{ field: "followUpOn", message: "Give a day from today on." }];
  expect([refused.statusCode, refused.json().errors]).toEqual([422, errors]);
  const lead = (await app.ask("POST", "/v1/leads", { token: rep.token, body: bob })).json();
  const set = (followUpOn: string) =>
    app.ask("PUT", `/v1/leads/${lead.id}`, { token: rep.token, body: { followUpOn, lastName: "Wood" } });
  expect((await set("2026-01-05")).statusCode).toBe(422);
  await app.database.withTransaction({ organisationId: organisationId }, (tx) =>
    tx.updateTable("leads").set({ follow_up_on: "2026-01-05" }).where("id", "=", lead.id).execute(),
  );
  expect((await set("2026-01-05")).json()).toMatchObject({ lastName: "Wood", followUpOn: "2026-01-05" });
});
