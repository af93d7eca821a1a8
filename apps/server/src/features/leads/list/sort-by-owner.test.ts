import type { Lead } from "@leadline/contract/leads";
import { beforeAll, expect, test } from "vitest";
import {
  joinOrganisation,
  makeOrganisation,
  registerPerson,
  testApp,
  type TestPerson,
} from "../../../testing/test-app.ts";
import { upsertLeads } from "../sync/upsert-leads.ts";

const app = testApp();
let admin: TestPerson & { organisationId: string };
let ada: TestPerson;
let yves: TestPerson;

async function rename({ id, token }: TestPerson, firstName: string): Promise<void> {
  const body = { ...(await app.ask("GET", "/v1/users/me", { token })).json(), firstName, lastName: "Rook" };
  expect((await app.ask("PUT", `/v1/users/${id}`, { token, body })).statusCode).toBe(200);
}

async function join(firstName: string): Promise<TestPerson> {
  const person = await registerPerson(app);
  await joinOrganisation(app, person, { organisationId: admin.organisationId, role: "member" });
  await rename(person, firstName);
  return person;
}

const list = async (query: string): Promise<Lead[]> => {
  const answer = await app.ask("GET", `/v1/leads?${query}`, { token: admin.token });
  expect(answer.statusCode).toBe(200);
  return answer.json();
};
const shown = (leads: Lead[]) => leads.map(({ lastName, owner }) => `${owner?.name ?? "nobody"}: ${lastName}`);

/** Every page of one lead each. */
async function pages(query: string): Promise<Lead[]> {
  const all: Lead[] = [];
  let next: string | undefined = `/v1/leads?limit=1&${query}`;
  while (next !== undefined) {
    const page = await app.ask("GET", next, { token: admin.token });
    all.push(...page.json());
    next = /<\/api([^>]+)>; rel="next"/.exec(String(page.headers.link ?? ""))?.[1];
  }
  return all;
}

const unowned = 1_200;

beforeAll(async () => {
  const person = await registerPerson(app);
  const { id: organisationId } = await makeOrganisation(app, person);
  admin = { ...person, organisationId };
  [yves, ada] = [await join("Yves"), await join("Ada")];
  const integrationId = crypto.randomUUID();
  await app.database.withTransaction({ organisationId }, async (tx) => {
    const lead = (externalId: string, owner: { name: string; email: string } | null) => {
      const lastName = owner === null ? "Plain" : externalId;
      return { externalId, firstName: "Bob", lastName, email: "bob@stone.example", phone: "", owner };
    };
    const none = Array.from({ length: unowned }, (_, index) => lead(`N${index}`, null));
    const owners = [
      { name: "Mia “Max” Moon", email: "mia@crm.example" },
      { name: "Yves Rook", email: "" },
    ];
    const owned = ["A1", "B1", "A2", "B2"].map((id, index) => lead(id, owners[index % 2] ?? null));
    await upsertLeads(tx, {
      organisationId,
      integrationId,
      leads: [...none, ...owned],
      asOf: new Date().toISOString(),
    });
  });
  for (const [ownerId, lastName] of [
    [yves.id, "Yone"],
    [ada.id, "Aone"],
    [yves.id, "Ytwo"],
  ])
    await app.ask("POST", "/v1/leads", {
      token: admin.token,
      body: { firstName: "Eve", lastName, email: "eve@rook.example", phone: "+12025550101", ownerId },
    });
});

test("leads are sorted by their owner's name, whether a member or from the CRM, after unassigned leads", async () => {
  const first = await list("sort=owner&limit=200");
  expect(first.every(({ owner }) => owner === null)).toBe(true);
  const named = await list("sort=-owner&limit=7");
  // Two owners with the same name stay apart.
  expect(shown(named)).toEqual([
    "Yves Rook: B2",
    "Yves Rook: B1",
    "Yves Rook: Ytwo",
    "Yves Rook: Yone",
    "Mia “Max” Moon: A2",
    "Mia “Max” Moon: A1",
    "Ada Rook: Aone",
  ]);
});

test.each(["", "&search=rook", "&search=bob", "&owner=none&search=plain"])(
  "every page follows the one before it, in both directions: %s",
  async (search) => {
    const whole = await list(`sort=-owner&limit=12${search}`);
    expect(whole.length).toBeGreaterThan(2);
    const seen: Lead[] = [];
    let next: string | undefined = `/v1/leads?limit=1&sort=-owner${search}`;
    while (next !== undefined && seen.length < whole.length) {
      const page = await app.ask("GET", next, { token: admin.token });
      seen.push(...page.json());
      next = /<\/api([^>]+)>; rel="next"/.exec(String(page.headers.link ?? ""))?.[1];
    }
    expect(shown(seen)).toEqual(shown(whole));
  },
);

test("a rare term is found behind more than a thousand unassigned leads", async () => {
  const found = shown(await list("sort=owner&search=rook&limit=50"));
  expect(found).toEqual(["Ada Rook: Aone", "Yves Rook: Yone", "Yves Rook: Ytwo"]);
  expect(shown(await pages("sort=owner&search=rook"))).toEqual(found);
  expect(shown(await list("sort=-owner&search=rook&limit=50"))).toEqual(found.toReversed());
});

test("another name of a member counts at once, and so does leaving", async () => {
  const order = async () => shown(await list("sort=owner&search=rook"));
  await rename(ada, "Zoe");
  expect(await order()).toEqual(["Yves Rook: Yone", "Yves Rook: Ytwo", "Zoe Rook: Aone"]);
  await app.ask("DELETE", `/v1/members/${yves.id}`, { token: admin.token });
  expect(await order()).toEqual(["Former member: Yone", "Former member: Ytwo", "Zoe Rook: Aone"]);
});

test("the filter finds the leads of a member, and unassigned ones", async () => {
  expect(shown(await list(`owner=${ada.id}`))).toEqual(["Zoe Rook: Aone"]);
  const none = await list("owner=none&limit=200");
  expect(none).toHaveLength(200);
  expect(none.every(({ owner }) => owner === null)).toBe(true);
  const counted = await app.ask("GET", "/v1/leads/count?owner=none", { token: admin.token });
  expect(counted.json()).toEqual({ count: unowned, more: false });
});
