import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import {
  joinOrganisation,
  makeOrganisation,
  registerPerson,
  testApp,
  type TestPerson,
} from "../../testing/test-app.ts";

const app = testApp();

async function newOwner(): Promise<TestPerson & { organisationId: string }> {
  const person = await registerPerson(app);
  return { ...person, organisationId: (await makeOrganisation(app, person)).id };
}

async function join(organisationId: string, role: "owner" | "admin" | "member" | "analyst"): Promise<TestPerson> {
  const person = await registerPerson(app);
  await joinOrganisation(app, person, { organisationId, role });
  return person;
}

const roleOf = async (by: TestPerson, userId: string) =>
  (await app.ask("GET", "/v1/members", { token: by.token }))
    .json()
    .find((member: { userId: string }) => member.userId === userId)?.role;

test("a role that can raise limits takes the password of whoever gives it, and other roles don't", async () => {
  const owner = await newOwner();
  const admin = await join(owner.organisationId, "admin");
  const [member, analyst] = [await join(owner.organisationId, "member"), await join(owner.organisationId, "analyst")];
  const give = (by: TestPerson, userId: string, body: object) =>
    app.ask("PUT", `/v1/members/${userId}`, { token: by.token, body });
  for (const [by, userId, role] of [
    [owner, member.id, "admin"],
    [owner, analyst.id, "admin"],
    [owner, admin.id, "owner"],
    [admin, member.id, "admin"],
  ] as const) {
    const before = await roleOf(owner, userId);
    const bare = await give(by, userId, { role });
    expect([bare.statusCode, bare.json().type]).toEqual([403, "/api/docs#password-required"]);
    const wrong = await give(by, userId, { role, currentPassword: "not mine" });
    expect([wrong.statusCode, wrong.json().type]).toEqual([401, "/api/docs#wrong-credentials"]);
    expect(await roleOf(owner, userId)).toBe(before);
  }
  expect((await give(owner, admin.id, { role: "owner", currentPassword: owner.password })).json().role).toBe("owner");
  for (const role of ["admin", "member", "analyst", "member"])
    expect((await give(owner, admin.id, { role })).json().role).toBe(role);
});

test("an admin's invitation and its link take the password, and a member's don't", async () => {
  const owner = await newOwner();
  const email = `${randomUUID()}@example.com`;
  const invite = (body: object) => app.ask("POST", "/v1/invitations", { token: owner.token, body });
  const link = (id: string, body?: object) =>
    app.ask("POST", `/v1/invitations/${id}/link`, { token: owner.token, ...(body && { body }) });
  expect((await invite({ email, role: "admin" })).json()).toMatchObject({
    type: "/api/docs#password-required",
    detail: "Enter your password to make someone an admin.",
  });
  expect((await app.ask("GET", "/v1/invitations", { token: owner.token })).json()).toEqual([]);

  const { id } = (await invite({ email, role: "admin", currentPassword: owner.password })).json();
  expect((await link(id)).json().type).toBe("/api/docs#password-required");
  expect((await link(id, { currentPassword: "not mine" })).json().type).toBe("/api/docs#wrong-credentials");
  expect((await link(id, { currentPassword: owner.password })).json().url).toMatch(/\/invitation#/);

  const members = (await invite({ email: `${randomUUID()}@example.com`, role: "member" })).json();
  expect((await link(members.id)).json().url).toMatch(/\/invitation#/);
});
