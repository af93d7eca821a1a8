import type { CrmOwner } from "@leadline/contract/crm-owners";
import type { Lead } from "@leadline/contract/leads";
import { expect, test, vi } from "vitest";
import { joinOrganisation, registerPerson, testApp, type TestPerson } from "../../testing/test-app.ts";
import { addIntegration, type Admin, newAdmin } from "../../testing/test-integrations.ts";
import { readOwnOwner } from "../leads/owners/own-owner.ts";
import { upsertLeads } from "../leads/sync/upsert-leads.ts";

const app = testApp();

const noor = { name: "Noor Blake", email: "Noor@elsewhere.example" };
const noorId = noor.email.toLowerCase();

type Owner = { name: string; email: string };

/** Stores leads as a sync does, by last name. */
async function syncLeads(by: Admin, integrationId: string, owners: Record<string, Owner | null>): Promise<void> {
  const key = { organisationId: by.organisationId, integrationId };
  const leads = Object.entries(owners).map(([lastName, owner]) => ({
    externalId: lastName,
    firstName: "B",
    lastName,
    email: "",
    phone: "",
    owner,
  }));
  await app.database.withTransaction({ organisationId: by.organisationId }, (tx) =>
    upsertLeads(tx, { ...key, leads, asOf: new Date().toISOString() }),
  );
}
const leadsOf = async (by: Admin): Promise<Lead[]> =>
  (await app.ask("GET", "/v1/leads?sort=name", { token: by.token })).json();
/** Each lead's owner, by last name. */
const ownersOf = async (by: Admin) =>
  Object.fromEntries(
    (await leadsOf(by)).map(({ lastName, owner }) => [lastName, owner?.userId ?? owner?.name ?? null]),
  );
const becomes = (by: Admin, owners: Record<string, string | null>) =>
  vi.waitFor(async () => expect(await ownersOf(by)).toMatchObject(owners));
const list = async (by: Admin, id: string): Promise<CrmOwner[]> =>
  (await app.ask("GET", `/v1/integrations/${id}/owners`, { token: by.token })).json();
const save = (by: Admin, id: string, ...owners: object[]) =>
  app.ask("PUT", `/v1/integrations/${id}/owners`, { token: by.token, body: { owners } });

async function withColleague(): Promise<{ by: Admin; id: string; eve: TestPerson }> {
  const by = await newAdmin(app);
  const eve = await registerPerson(app);
  await joinOrganisation(app, eve, { organisationId: by.organisationId, role: "member" });
  return { by, id: await addIntegration(app, by), eve };
}

test("lists the owners of leads so far, with the member who has each one's email", async () => {
  const { by, id, eve } = await withColleague();
  expect(await list(by, id)).toEqual([]);
  const noEmail = { name: "Ada Ames", email: "" };
  const theirs = { name: "Zoe Stone", email: eve.email.toUpperCase() };
  await syncLeads(by, id, { One: noor, Two: noEmail, Three: theirs, Four: noor, Five: null });
  const byEmail = { mapsTo: "email", userId: null };
  expect(await list(by, id)).toEqual([
    { id: "Ada Ames", ...noEmail, ...byEmail, userIdByEmail: null },
    { id: noorId, ...noor, ...byEmail, userIdByEmail: null },
    { id: eve.email, ...theirs, ...byEmail, userIdByEmail: eve.id },
  ]);
  expect(await list(by, await addIntegration(app, by))).toEqual([]);
});

test("an owner's leads go to the chosen member, also on later syncs, except those that the team has reassigned", async () => {
  const { by, id, eve } = await withColleague();
  const another = await addIntegration(app, by);
  const ada = { name: "Ada Ames", email: "ada@elsewhere.example" };
  await syncLeads(by, id, { One: noor, Two: noor, Three: ada, Team: noor });
  await syncLeads(by, another, { Other: noor });
  const team = (await leadsOf(by)).find(({ lastName }) => lastName === "Team");
  await app.ask("PUT", `/v1/leads/${team?.id}`, { token: by.token, body: { ownerId: by.id } });
  expect((await save(by, id, { id: noorId, mapsTo: "member", userId: eve.id })).statusCode).toBe(204);
  await becomes(by, { One: eve.id, Two: eve.id, Three: "Ada Ames", Team: by.id, Other: "Noor Blake" });
  expect(await list(by, id)).toMatchObject([{ id: ada.email }, { id: noorId, mapsTo: "member", userId: eve.id }]);
  await syncLeads(by, id, { New: noor });
  expect(await ownersOf(by)).toMatchObject({ New: eve.id });

  // Map them to another member, to nobody, and back to the email.
  await save(by, id, { id: noorId, mapsTo: "member", userId: by.id });
  await becomes(by, { One: by.id, Two: by.id, New: by.id, Team: by.id });
  await save(by, id, { id: noorId, mapsTo: "no-member" });
  await becomes(by, { One: "Noor Blake", Two: "Noor Blake", New: "Noor Blake" });
  const history = await app.ask("GET", `/v1/leads/${(await leadsOf(by))[1]?.id}/timeline`, { token: by.token });
  expect(history.json()[0]).toMatchObject({ kind: "change", userName: "Robin Tester" });
});

test("a choice survives its member leaving and returning, and can be changed meanwhile", async () => {
  const { by, id, eve } = await withColleague();
  await syncLeads(by, id, { One: noor, Two: { name: "Eve", email: eve.email } });
  await save(by, id, { id: noorId, mapsTo: "member", userId: eve.id });
  await becomes(by, { One: eve.id, Two: eve.id });
  await app.ask("DELETE", `/v1/members/${eve.id}`, { token: by.token });
  expect(await list(by, id)).toMatchObject([{ userIdByEmail: null }, { mapsTo: "member", userId: eve.id }]);
  await syncLeads(by, id, { Three: noor });
  expect(await ownersOf(by)).toMatchObject({ One: eve.id, Three: "Noor Blake" });

  // No longer by email, even if they come back.
  await save(by, id, { id: eve.email, mapsTo: "no-member" });
  await becomes(by, { Two: "Eve" });
  await app.ask("POST", "/v1/invitations", { token: by.token, body: { email: eve.email, role: "member" } });
  const { token } = await app.mailTo(eve.email);
  await app.ask("POST", "/v1/invitations/accept", { token: eve.token, body: { token } });
  await becomes(by, { One: eve.id, Two: "Eve", Three: eve.id });

  await app.ask("DELETE", `/v1/members/${eve.id}`, { token: by.token });
  await save(by, id, { id: noorId, mapsTo: "member", userId: by.id });
  await becomes(by, { One: by.id, Three: by.id });
});

test("only members can be chosen, and an owner that the CRM hasn't named changes nothing", async () => {
  const { by, id, eve } = await withColleague();
  await syncLeads(by, id, { One: noor });
  const stranger = await registerPerson(app);
  const refused = await save(by, id, { id: noorId, mapsTo: "member", userId: stranger.id });
  expect(refused.json().errors).toEqual([
    { field: "owners.0.userId", message: "Choose a member of your organisation." },
  ]);
  expect((await save(by, id, { id: noorId, mapsTo: "member" })).statusCode).toBe(422);
  await app.ask("PUT", `/v1/members/${eve.id}`, { token: by.token, body: { role: "analyst" } });
  const analyst = await save(by, id, { id: noorId, mapsTo: "member", userId: eve.id });
  expect(analyst.json().errors).toMatchObject([{ message: "Analysts can’t own leads. Choose another member." }]);
  await app.ask("PUT", `/v1/members/${eve.id}`, { token: by.token, body: { role: "member" } });
  expect((await save(by, id, { id: "nobody@elsewhere.example", mapsTo: "member", userId: eve.id })).statusCode).toBe(
    204,
  );
  expect(await list(by, id)).toMatchObject([{ id: noorId, mapsTo: "email" }]);
});

test("removing an integration removes its owners", async () => {
  const { by, id } = await withColleague();
  await syncLeads(by, id, { One: noor });
  await app.ask("DELETE", `/v1/integrations/${id}`, { token: by.token });
  const left = await app.database.withTransaction({ organisationId: by.organisationId }, (tx) =>
    tx.selectFrom("crm_owners").select("owner_key").where("integration_id", "=", id).execute(),
  );
  expect(left).toEqual([]);
});

test("a member is sent to the CRM as the owner who is mapped to them, and as nobody if theirs is someone else here", async () => {
  const { by, id, eve } = await withColleague();
  const theirs = { name: "Eve", email: eve.email };
  await syncLeads(by, id, { One: noor, Two: theirs });
  const lead = (await leadsOf(by)).find(({ lastName }) => lastName === "One");
  const own = () =>
    app.database.withTransaction({ organisationId: by.organisationId }, (tx) =>
      readOwnOwner(tx, { organisationId: by.organisationId, integrationId: id, leadId: lead?.id ?? "" }),
    );
  expect(await own()).toBeNull();
  await app.ask("PUT", `/v1/leads/${lead?.id}`, { token: by.token, body: { ownerId: eve.id } });
  expect(await own()).toMatchObject({ member: "Robin Tester", inCrm: theirs });
  await save(by, id, { id: eve.email, mapsTo: "no-member" });
  expect(await own()).toMatchObject({ member: "Robin Tester", inCrm: null });
  await save(by, id, { id: noorId, mapsTo: "member", userId: eve.id });
  expect(await own()).toBeNull();
  await app.ask("PUT", `/v1/leads/${lead?.id}`, { token: by.token, body: { ownerId: null } });
  expect(await own()).toMatchObject({ member: null, inCrm: null });
});
