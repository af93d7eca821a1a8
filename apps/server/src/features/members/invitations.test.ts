import { randomBytes, randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { createMailedLinks } from "../../mail/mailed-links.ts";
import {
  joinOrganisation,
  makeOrganisation,
  registerPerson,
  signIn,
  testApp,
  type TestPerson,
} from "../../testing/test-app.ts";
import { mailInvitationJob } from "./mail-invitation.ts";

const app = testApp();

const invite = (by: TestPerson, email: string, role = "member") =>
  app.ask("POST", "/v1/invitations", { token: by.token, body: { email, role, currentPassword: by.password } });
const accept = (person: TestPerson | { token: string }, token: string) =>
  app.ask("POST", "/v1/invitations/accept", { token: person.token, body: { token } });
const read = (token: string) => app.ask("POST", "/v1/invitations/read", { body: { token } });
const me = async (token: string) => (await app.ask("GET", "/v1/users/me", { token })).json();

async function newOwner(): Promise<TestPerson & { organisation: { id: string; name: string } }> {
  const person = await registerPerson(app);
  return { ...person, organisation: await makeOrganisation(app, person) };
}

describe("an invitation", () => {
  test("lets a new person register with its link and join", async () => {
    const owner = await newOwner();
    const email = `${randomUUID()}@example.com`;
    const invited = await invite(owner, email, "admin");
    expect(invited.statusCode).toBe(201);
    const { createdAt, expiresAt, delivered } = invited.json();
    expect(delivered).toBe(true);
    expect(Date.parse(expiresAt) - Date.parse(createdAt)).toBe(7 * 24 * 3600 * 1000);
    const mail = await app.mailTo(email);
    expect(mail.text).toContain(`https://phone.example.com/invitation#${mail.token}`);
    expect(mail.text).toContain(owner.organisation.name);
    expect((await read(mail.token)).json()).toEqual({
      organisationName: owner.organisation.name,
      email,
      role: "admin",
      invitedBy: "Robin Tester",
    });

    const password = `pass ${randomUUID()}`;
    await app.ask("POST", "/v1/register", { body: { firstName: "Alex", lastName: "Newcomer", email, password } });
    const { token } = await signIn(app, { email, password });
    expect((await me(token)).activeOrganisation).toBeNull();
    expect((await accept({ token }, mail.token)).json()).toEqual({ organisationId: owner.organisation.id });
    expect((await me(token)).activeOrganisation).toMatchObject({ id: owner.organisation.id, role: "admin" });
    expect((await app.ask("GET", "/v1/invitations", { token: owner.token })).json()).toEqual([]);
  });

  test("can create an analyst", async () => {
    const [owner, person] = [await newOwner(), await registerPerson(app)];
    expect((await invite(owner, person.email, "analyst")).json()).toMatchObject({ role: "analyst" });
    const { token } = await app.mailTo(person.email);
    expect((await accept(person, token)).statusCode).toBe(200);
    expect((await me(person.token)).activeOrganisation.role).toBe("analyst");
  });

  test("that waits to be mailed while the secret key is replaced arrives with a working link", async () => {
    const [owner, person] = [await newOwner(), await registerPerson(app)];
    const { id } = (await invite(owner, person.email)).json();
    await app.mailTo(person.email);
    const newKey = randomBytes(32);
    const links = createMailedLinks(() => newKey, Promise.resolve("https://phone.example.com"));
    const sent: { text?: unknown }[] = [];
    const mailer = { send: async (mail: { text?: unknown }) => void sent.push(mail), isReal: true, close() {} };
    await mailInvitationJob({ database: app.database, mailer: mailer as never, links }).run(
      { invitationId: id },
      { enqueue: async () => undefined },
    );
    const token = /#(\S+)/.exec(String(sent[0]?.text))?.[1] ?? "";
    expect(token).toBe(links.tokenOf("invitation", id));
    const kept = await app.database.withTransaction({ system: "test" }, (tx) =>
      tx.selectFrom("invitations").select("token_hash").where("id", "=", id).executeTakeFirstOrThrow(),
    );
    expect(kept.token_hash).toEqual(links.hash(token));
  });

  test("lets an existing user join, and works once", async () => {
    const owner = await newOwner();
    const [person, other] = [await newOwner(), await registerPerson(app)];
    await invite(owner, person.email);
    const { token } = await app.mailTo(person.email);
    expect((await accept(person, token)).statusCode).toBe(200);
    expect((await me(person.token)).activeOrganisation).toMatchObject({ id: owner.organisation.id, role: "member" });
    const again = await accept(other, token);
    expect(again.statusCode).toBe(410);
    expect(again.json().type).toBe("/api/docs#link-invalid");
    expect((await read(token)).statusCode).toBe(410);
    expect((await me(other.token)).activeOrganisation).toBeNull();
  });

  test("with a truncated link is refused as invalid, without a complaint about its length", async () => {
    const answers = [await read("garbage"), await accept(await registerPerson(app), "garbage")];
    expect(answers.map((answer) => [answer.statusCode, answer.json().type])).toEqual([
      [410, "/api/docs#link-invalid"],
      [410, "/api/docs#link-invalid"],
    ]);
  });

  test("accepted by two at once admits one", async () => {
    const owner = await newOwner();
    const [one, two] = [await registerPerson(app), await registerPerson(app)];
    await invite(owner, one.email);
    const { token } = await app.mailTo(one.email);
    const answers = await Promise.all([accept(one, token), accept(two, token)]);
    expect(answers.map((answer) => answer.statusCode).toSorted()).toEqual([200, 410]);
  });

  test("that was withdrawn, replaced or is seven days old no longer works", async () => {
    const owner = await newOwner();
    const person = await registerPerson(app);
    const { id } = (await invite(owner, person.email)).json();
    const first = await app.mailTo(person.email);
    await invite(owner, person.email, "admin");
    await expect.poll(async () => (await app.mailTo(person.email)).token).not.toBe(first.token);
    const second = await app.mailTo(person.email);
    const open = (await app.ask("GET", "/v1/invitations", { token: owner.token })).json();
    expect(open).toEqual([expect.objectContaining({ email: person.email, role: "admin" })]);
    expect(open[0].id).not.toBe(id);
    expect((await accept(person, first.token)).statusCode).toBe(410);
    const withdraw = () => app.ask("DELETE", `/v1/invitations/${open[0].id}`, { token: owner.token });
    expect((await withdraw()).statusCode).toBe(204);
    expect((await withdraw()).statusCode).toBe(404);
    expect((await accept(person, second.token)).statusCode).toBe(410);

    const late = await registerPerson(app);
    await invite(owner, late.email);
    const { token } = await app.mailTo(late.email);
    await app.database.withTransaction({ organisationId: owner.organisation.id }, (tx) =>
      tx
        .updateTable("invitations")
        .set({ expires_at: new Date(Date.now() - 1000).toISOString() })
        .execute(),
    );
    expect((await accept(late, token)).statusCode).toBe(410);
    expect((await app.ask("GET", "/v1/invitations", { token: owner.token })).json()).toEqual([]);
  });

  test("needs an admin, and can't be for an owner or an existing member", async () => {
    const owner = await newOwner();
    const [admin, member] = [await registerPerson(app), await registerPerson(app)];
    await joinOrganisation(app, admin, { organisationId: owner.organisation.id, role: "admin" });
    await joinOrganisation(app, member, { organisationId: owner.organisation.id, role: "member" });
    const email = `${randomUUID()}@example.com`;
    expect((await invite(member, email)).statusCode).toBe(403);
    expect((await app.ask("GET", "/v1/invitations", { token: member.token })).statusCode).toBe(403);
    expect((await invite(admin, email, "owner")).statusCode).toBe(422);
    expect((await invite(admin, "nobody")).json().detail).toBe("A valid email is required");
    expect((await invite(admin, email)).statusCode).toBe(201);
    const already = await invite(admin, member.email.toUpperCase());
    expect(already.statusCode).toBe(409);
    expect(already.json().detail).toBe(`${member.email} is already a member of the organisation.`);
  });

  test("can't be seen or changed from another organisation", async () => {
    const [owner, stranger] = [await newOwner(), await newOwner()];
    const { id } = (await invite(owner, `${randomUUID()}@example.com`)).json();
    expect((await app.ask("GET", "/v1/invitations", { token: stranger.token })).json()).toEqual([]);
    expect((await app.ask("DELETE", `/v1/invitations/${id}`, { token: stranger.token })).statusCode).toBe(404);
    expect((await app.ask("GET", "/v1/invitations", { token: owner.token })).json()).toHaveLength(1);
  });

  test("has a link that an admin passes on without mail, the same one until it is accepted", async () => {
    const [owner, stranger, person] = [await newOwner(), await newOwner(), await registerPerson(app)];
    const member = await registerPerson(app);
    await joinOrganisation(app, member, { organisationId: owner.organisation.id, role: "member" });
    const { id } = (await invite(owner, person.email)).json();
    const link = (by: TestPerson) => app.ask("POST", `/v1/invitations/${id}/link`, { token: by.token });
    expect((await link(member)).statusCode).toBe(403);
    expect((await link(stranger)).statusCode).toBe(404);
    const { url } = (await link(owner)).json();
    expect((await link(owner)).json()).toEqual({ url });
    const mail = await app.mailTo(person.email);
    expect(url).toBe(`https://phone.example.com/invitation#${mail.token}`);
    expect((await accept(person, url.split("#")[1])).json()).toEqual({ organisationId: owner.organisation.id });
    expect((await link(owner)).statusCode).toBe(404);
  });

  test("doesn't change the role of someone who has already joined", async () => {
    const owner = await newOwner();
    const person = await registerPerson(app);
    await invite(owner, person.email);
    const { token } = await app.mailTo(person.email);
    await joinOrganisation(app, person, { organisationId: owner.organisation.id, role: "admin" });
    expect((await accept(person, token)).statusCode).toBe(200);
    expect((await me(person.token)).activeOrganisation.role).toBe("admin");
  });
});
