import { expect, test } from "vitest";
import { leavePastCalls } from "../../../testing/past-calls.ts";
import { testApp } from "../../../testing/test-app.ts";
import { type Admin, connectIntegration, newAdmin, syncToTheEnd } from "../../../testing/test-integrations.ts";

const app = testApp();
const leadPath = "/services/data/v62.0/sobjects/Lead";

async function synced() {
  const by = await newAdmin(app);
  const integrationId = await connectIntegration(app, by);
  await syncToTheEnd(app, by, integrationId);
  return { by, integrationId };
}
const rowsOf = ({ organisationId }: Admin) =>
  app.database.withTransaction({ organisationId }, (tx) =>
    tx
      .selectFrom("leads")
      .select(["id", "external_id", "integration_id", "phone_number"])
      .where("organisation_id", "=", organisationId)
      .orderBy("position")
      .execute(),
  );

test("keeps a lead that the CRM deletes if the team has worked with it, with all of that work; others are deleted", async () => {
  const { by, integrationId } = await synced();
  // Three leads with unique numbers.
  const numbers = (await rowsOf(by)).map((row) => row.phone_number);
  const alone = (await rowsOf(by)).filter(
    (row) => row.phone_number !== null && numbers.filter((number) => number === row.phone_number).length === 1,
  );
  const [noted, filed, due, called, bare] = alone;
  const { token } = by;
  await app.ask("POST", `/v1/leads/${noted?.id}/notes`, {
    token,
    body: { id: crypto.randomUUID(), text: "Asks for a quote" },
  });
  const form = new FormData();
  form.append("file[]", new File(["Plan"], "plan.txt"));
  form.append("entity", "lead");
  form.append("entityId", filed?.id ?? "");
  expect((await app.ask("POST", "/v1/files", { token, form })).statusCode).toBe(201);
  await app.ask("PUT", `/v1/leads/${due?.id}`, { token, body: { followUpOn: "2126-12-01" } });
  const phoneNumber = called?.phone_number ?? "";
  await leavePastCalls(app, by, [{ at: "2026-01-14T10:00:00Z", phoneNumber, leadId: called?.id ?? "" }]);
  const gone = [noted, filed, due, called, bare];
  for (const row of gone) app.crm.sandbox.ask({ method: "DELETE", path: `${leadPath}/${row?.external_id}` });

  expect(await syncToTheEnd(app, by, integrationId)).toMatchObject({ status: "completed", deleted: 1, kept: 4 });
  const after = new Map((await rowsOf(by)).map((row) => [row.id, row]));
  for (const row of [noted, filed, due, called])
    expect(after.get(row?.id ?? "")).toMatchObject({ integration_id: null, external_id: null });
  expect(after.has(bare?.id ?? "")).toBe(false);
  const notes = await app.ask("GET", `/v1/leads/${noted?.id}/notes`, { token });
  expect(notes.json()).toMatchObject([{ text: "Asks for a quote" }]);
  const files = await app.ask("GET", `/v1/files?entity=lead&entityId=${filed?.id}`, { token });
  expect(files.json()).toHaveLength(1);
});

test("keeps a lead that the CRM deletes if the team has given it values of its own", async () => {
  const { by, integrationId } = await synced();
  const { token, organisationId } = by;
  const [named, planned, ranked, owned, waiting, bare] = await rowsOf(by);
  for (const [row, body] of [
    [named, { lastName: "Own" }],
    [planned, { nextStep: "Send the contract" }],
    [ranked, { status: "Qualified" }],
    [owned, { ownerId: by.id }],
  ] as const)
    expect((await app.ask("PUT", `/v1/leads/${row?.id}`, { token, body })).statusCode).toBe(200);
  await app.database.withTransaction({ organisationId }, (tx) =>
    tx
      .insertInto("lead_writes")
      .values({ lead_id: waiting?.id ?? "", organisation_id: organisationId, integration_id: integrationId })
      .execute(),
  );
  const gone = [named, planned, ranked, owned, waiting, bare];
  for (const row of gone) app.crm.sandbox.ask({ method: "DELETE", path: `${leadPath}/${row?.external_id}` });
  expect(await syncToTheEnd(app, by, integrationId)).toMatchObject({ status: "completed", deleted: 1, kept: 5 });
  const left = new Set((await rowsOf(by)).map(({ id }) => id));
  expect(gone.filter((row) => !left.has(row?.id ?? ""))).toEqual([bare]);
});

test("reconnecting the same CRM account reattaches its leads instead of duplicating them", async () => {
  const { by, integrationId } = await synced();
  const before = await rowsOf(by);
  await app.ask("DELETE", `/v1/integrations/${integrationId}`, { token: by.token });
  expect(new Set((await rowsOf(by)).map((row) => row.integration_id))).toEqual(new Set([null]));
  const again = await connectIntegration(app, by);
  expect(await syncToTheEnd(app, by, again)).toMatchObject({ status: "completed", created: 0 });
  expect(await rowsOf(by)).toEqual(before.map((row) => ({ ...row, integration_id: again })));
});

test("another account's leads aren't taken for these, even with the same ids", async () => {
  const { by, integrationId } = await synced();
  const before = await rowsOf(by);
  await app.ask("DELETE", `/v1/integrations/${integrationId}`, { token: by.token });
  await app.database.withTransaction({ organisationId: by.organisationId }, (tx) =>
    tx
      .updateTable("leads")
      .set({ former_account: "salesforce:00Delsewhere" })
      .where("organisation_id", "=", by.organisationId)
      .execute(),
  );
  const again = await connectIntegration(app, by);
  expect(await syncToTheEnd(app, by, again)).toMatchObject({ created: before.length });
});
