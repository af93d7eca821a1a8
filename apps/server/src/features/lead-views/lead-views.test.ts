import { type LeadView, maxLeadViews } from "@leadline/contract/lead-views";
import type { Role } from "@leadline/contract/organisations";
import { expect, test } from "vitest";
import {
  joinOrganisation,
  makeOrganisation,
  registerPerson,
  testApp,
  type TestPerson,
} from "../../testing/test-app.ts";

const app = testApp();

async function newTeam() {
  const owner = await registerPerson(app);
  const { id: organisationId } = await makeOrganisation(app, owner);
  const join = async (role: Role) => {
    const person = await registerPerson(app);
    await joinOrganisation(app, person, { organisationId, role });
    return person;
  };
  return { owner, join };
}
const list = async ({ token }: TestPerson): Promise<LeadView[]> =>
  (await app.ask("GET", "/v1/lead-views", { token })).json();
const save = ({ token }: TestPerson, view: object) =>
  app.ask("POST", "/v1/lead-views", { token, body: { filter: {}, ...view } });
const remove = ({ token }: TestPerson, { id }: LeadView) => app.ask("DELETE", `/v1/lead-views/${id}`, { token });
const names = (views: readonly LeadView[]) => views.map(({ name }) => name);

test("a view is visible to the person who made it, or if shared to the whole organisation, and nobody else", async () => {
  const { owner, join } = await newTeam();
  const [member, stranger] = [await join("member"), (await newTeam()).owner];
  const filter = { owner: "me", called: "never", search: "stone", sort: "company" };
  const saved = await save(member, { name: "Mine to call", filter, columns: ["company", "owner"] });
  expect(saved.statusCode).toBe(201);
  expect(saved.json()).toMatchObject({
    name: "Mine to call",
    shared: false,
    own: true,
    filter,
    columns: ["company", "owner"],
  });
  await save(member, { name: "due today", filter: { due: "today" }, shared: true });
  expect(names(await list(member))).toEqual(["due today", "Mine to call"]);
  expect(await list(owner)).toMatchObject([
    { name: "due today", shared: true, own: false, userName: "Robin Tester", filter: { due: "today", sort: "newest" } },
  ]);
  expect(await list(stranger)).toEqual([]);
});

test("saving under a name of one's own replaces that view, and nobody else's with the same name", async () => {
  const { owner, join } = await newTeam();
  const member = await join("member");
  await save(owner, { name: "Hot", shared: true, filter: { status: "Working" } });
  await save(member, { name: "Hot", filter: { status: "New" } });
  await save(member, { name: "HOT", filter: { status: "Qualified" } });
  expect((await list(member)).map(({ name, own, filter }) => [name, own, filter.status]).toSorted()).toEqual([
    ["HOT", true, "Qualified"],
    ["Hot", false, "Working"],
  ]);
});

test("a view is deleted by its author, and a shared one by an admin too", async () => {
  const { owner, join } = await newTeam();
  const [member, other] = [await join("member"), await join("member")];
  for (const shared of [true, false]) await save(member, { name: shared ? "Shared" : "Hidden", shared });
  const [hidden, shared] = await list(member);
  if (!hidden || !shared) throw new Error("nothing was saved");
  expect((await remove(other, shared)).statusCode).toBe(404);
  expect((await remove(owner, hidden)).statusCode).toBe(404);
  expect((await remove(owner, shared)).statusCode).toBe(204);
  expect((await remove(member, hidden)).statusCode).toBe(204);
  expect(await list(member)).toEqual([]);
});

test("a filter by owner names a member of the organisation", async () => {
  const [{ owner }, stranger] = [await newTeam(), await registerPerson(app)];
  const refused = await save(owner, { name: "Theirs", filter: { owner: stranger.id } });
  expect(refused.json().errors).toEqual([{ field: "ownerId", message: "Choose a member of your organisation." }]);
  expect((await save(owner, { name: "Mine", filter: { owner: owner.id } })).statusCode).toBe(201);
});

test("refuses an invalid filter, and one view more than a person may have", async () => {
  const { owner } = await newTeam();
  for (const wrong of [
    { name: " " },
    { name: "a\nb" },
    { name: "x", filter: { status: "Unheard" } },
    { name: "x", filter: { owner: "you" } },
  ])
    expect((await save(owner, wrong)).statusCode).toBe(422);
  for (let index = 0; index < maxLeadViews; index += 1) await save(owner, { name: `View ${index}` });
  expect((await save(owner, { name: "One more" })).json()).toMatchObject({ type: "/api/docs#quota-reached" });
  expect((await save(owner, { name: "view 0" })).statusCode).toBe(201);
  expect(await list(owner)).toHaveLength(maxLeadViews);
});
