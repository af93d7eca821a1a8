import { expect, test } from "vitest";
import { leavePastCalls } from "../../../testing/past-calls.ts";
import { makeOrganisation, registerPerson } from "../../../testing/test-app.ts";
import { testAppWithCalls } from "../../../testing/test-calls.ts";

const app = testAppWithCalls();
const bob = { firstName: "Bob", lastName: "Stone", email: "bob@stone.example", phone: "(202) 555-0100" };

test("a lead's day to call back can't be in the past, unless it was already set", async () => {
  const rep = await registerPerson(app);
  const { id: organisationId } = await makeOrganisation(app, rep);
  const refused = await app.ask("POST", "/v1/leads", {
    token: rep.token,
    body: { ...bob, followUpOn: "2026-01-05" },
  });
  const errors = [{ field: "followUpOn", message: "Choose today or a later day." }];
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

/** The date differs between them at every moment. */
test.each([
  ["today", "Pacific/Pago_Pago", 0, "accepted"],
  ["yesterday", "Pacific/Pago_Pago", -1, "refused"],
  ["today", "Pacific/Kiritimati", 0, "accepted"],
  ["yesterday", "Pacific/Kiritimati", -1, "refused"],
])("a day to call back is checked in the organisation's time zone: %s in %s", async (_, timeZone, days, how) => {
  const rep = await registerPerson(app);
  const { id } = await makeOrganisation(app, rep);
  const { token } = rep;
  expect((await app.ask("PUT", `/v1/organisations/${id}`, { token, body: { timeZone } })).statusCode).toBe(200);
  const there = (moment: number) => new Intl.DateTimeFormat("en-CA", { timeZone, dateStyle: "short" }).format(moment);
  const followUpOn = there(Date.now() + days * 86_400_000);
  const lead = (await app.ask("POST", "/v1/leads", { token, body: bob })).json();
  const [callSid] = await leavePastCalls(app, { ...rep, organisationId: id }, [{ at: new Date().toISOString() }]);
  const answers = await Promise.all([
    app.ask("POST", "/v1/leads", { token, body: { ...bob, followUpOn } }),
    app.ask("PUT", `/v1/leads/${lead.id}`, { token, body: { followUpOn } }),
    app.ask("PUT", `/v1/calls/${callSid}/disposition`, { token, body: { followUpOn } }),
  ]);
  expect(answers.map(({ statusCode }) => (statusCode === 422 ? "refused" : "accepted"))).toEqual([how, how, how]);
});
