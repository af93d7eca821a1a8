import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import {
  joinOrganisation,
  makeOrganisation,
  registerPerson,
  testApp,
  type TestPerson,
} from "../../testing/test-app.ts";

const app = testApp();

const create = (person: TestPerson) =>
  app.ask("POST", "/v1/organisations", { token: person.token, body: { name: `Organisation ${randomUUID()}` } });
const invite = (person: TestPerson, email = `${randomUUID()}@example.com`) =>
  app.ask("POST", "/v1/invitations", { token: person.token, body: { email, role: "member" } });

async function newOwner() {
  const person = await registerPerson(app);
  return { ...person, organisationId: (await makeOrganisation(app, person)).id };
}

describe("a person’s organisations", () => {
  test("are ten at most, even if created at once, until one is deleted", async () => {
    const person = await registerPerson(app);
    const made = await Promise.all(Array.from({ length: 12 }, () => create(person)));
    const refused = made.filter(({ statusCode }) => statusCode !== 201);
    expect(refused.map((each) => each.json())).toMatchObject(
      Array.from({ length: 2 }, () => ({
        type: "/api/docs#quota-reached",
        status: 409,
        detail: expect.stringMatching(/^You own 10 organisations, which is the limit\./),
      })),
    );
    const id = made.find(({ statusCode }) => statusCode === 201)?.json().id;
    await app.ask("PUT", `/v1/users/set-organisation/${id}`, { token: person.token });
    const deleted = await app.ask("DELETE", `/v1/organisations/${id}`, { token: person.token });
    expect(deleted.statusCode).toBe(204);
    expect((await create(person)).statusCode).toBe(201);
  });

  test("don't count towards the twenty a day if they were refused", async () => {
    const person = await registerPerson(app);
    const made = await Promise.all(Array.from({ length: 10 }, () => create(person)));
    const refused = await Promise.all(Array.from({ length: 12 }, () => create(person)));
    expect(new Set(refused.map(({ statusCode }) => statusCode))).toEqual(new Set([409]));
    const id = made[0]?.json().id;
    await app.ask("PUT", `/v1/users/set-organisation/${id}`, { token: person.token });
    expect((await app.ask("DELETE", `/v1/organisations/${id}`, { token: person.token })).statusCode).toBe(204);
    expect((await create(person)).statusCode).toBe(201);
  });

  test("don't count if the person is only a member", async () => {
    const member = await registerPerson(app);
    for (let index = 0; index < 10; index += 1) {
      const { organisationId } = await newOwner();
      await joinOrganisation(app, member, { organisationId, role: "member" });
    }
    expect((await create(member)).statusCode).toBe(201);
  });
});

describe("invitations", () => {
  test("allow one person fifty a day, in all organisations together", async () => {
    const owner = await newOwner();
    const sent = await Promise.all(Array.from({ length: 30 }, () => invite(owner)));
    expect(new Set(sent.map(({ statusCode }) => statusCode))).toEqual(new Set([201]));
    await makeOrganisation(app, owner);
    const more = await Promise.all(Array.from({ length: 21 }, () => invite(owner)));
    const refused = more.filter(({ statusCode }) => statusCode !== 201);
    expect(refused.map((each) => each.json())).toMatchObject([
      { status: 429, detail: expect.stringMatching(/^You can send 50 invitations a day\. Try again in 24 hours\.$/) },
    ]);
    expect(refused[0]?.headers["retry-after"]).toBeDefined();
  });

  test("are limited to a hundred a day per organisation, over all senders", async () => {
    const owner = await newOwner();
    const admins = [owner];
    for (let index = 0; index < 2; index += 1) {
      const admin = { ...(await registerPerson(app)), organisationId: owner.organisationId };
      await joinOrganisation(app, admin, { organisationId: owner.organisationId, role: "admin" });
      admins.push(admin);
    }
    const sent = await Promise.all(admins.flatMap((admin) => Array.from({ length: 34 }, () => invite(admin))));
    const refused = sent.filter(({ statusCode }) => statusCode !== 201);
    expect(refused).toHaveLength(2);
    expect(refused[0]?.json().detail).toMatch(/^Your organisation can send 100 invitations a day\./);
  });

  test("are mailed to one address at most ten times a day; a further one can still be copied and used", async () => {
    const email = `${randomUUID()}@example.com`;
    for (let index = 0; index < 10; index += 1) expect((await invite(await newOwner(), email)).statusCode).toBe(201);
    const owner = await newOwner();
    const further = await invite(owner, email);
    expect(further.json()).toMatchObject({ email, delivered: false, mailedOften: true });
    const link = await app.ask("POST", `/v1/invitations/${further.json().id}/link`, { token: owner.token });
    const later = `${randomUUID()}@example.com`;
    await invite(owner, later);
    await app.mailTo(later);
    expect(link.json().url).not.toContain((await app.mailTo(email)).token);
  });

  test("that are refused don't count against the address that they were for", async () => {
    const owner = await newOwner();
    await Promise.all(Array.from({ length: 50 }, () => invite(owner)));
    const email = `${randomUUID()}@example.com`;
    // Five per address and organisation, so ten attempts take two organisations.
    for (let organisations = 0; organisations < 2; organisations += 1) {
      for (let attempts = 0; attempts < 5; attempts += 1) {
        const refused = await invite(owner, email);
        expect(refused.json().detail).toMatch(/^You can send 50 invitations a day\./);
      }
      await makeOrganisation(app, owner);
    }
    expect((await invite(await newOwner(), email)).statusCode).toBe(201);
  });

  test("have a subject without user-supplied text", async () => {
    const owner = await registerPerson(app);
    const name = "You won! Visit prize.example";
    await app.ask("POST", "/v1/organisations", { token: owner.token, body: { name } });
    const email = `${randomUUID()}@example.com`;
    await invite(owner, email);
    const { text } = await app.mailTo(email);
    expect(text).toContain("\r\nSubject: Your invitation to Leadline\r\n");
  });
});

test.each(["Ann\r\nBcc: all@example.com", "Ann\u2028Lee", "Ann\u202Egnp", "Ann\u0007", "Ann\tLee"])(
  "a name or label such as %j is refused everywhere, with an explanation",
  async (name) => {
    const owner = await newOwner();
    const { token } = owner;
    const answers = await Promise.all([
      app.ask("POST", "/v1/organisations", { token, body: { name } }),
      app.ask("PUT", `/v1/organisations/${owner.organisationId}`, { token, body: { name } }),
      app.ask("PUT", `/v1/users/${owner.id}`, { token, body: { firstName: name } }),
      app.ask("PUT", `/v1/users/${owner.id}`, { token, body: { lastName: name } }),
      app.ask("POST", "/v1/register", {
        body: { firstName: name, lastName: "Lee", email: `${randomUUID()}@example.com`, password: randomUUID() },
      }),
      app.ask("POST", "/v1/call-outcomes", { token, body: { name } }),
      app.ask("POST", "/v1/leads", {
        token,
        body: { firstName: name, lastName: "Lee", email: "ann@example.com", phone: "+12025550100" },
      }),
    ]);
    for (const answer of answers)
      expect(answer.json()).toMatchObject({ status: 422, detail: "Remove line breaks and control characters." });
  },
);
