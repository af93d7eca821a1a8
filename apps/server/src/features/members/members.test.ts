import type { Role } from "@leadline/contract/organisations";
import { describe, expect, test } from "vitest";
import { joinOrganisation, type TestPerson } from "../../testing/test-app.ts";
import { dial, newRep, type Rep, testAppWithCalls, waitForStatus } from "../../testing/test-calls.ts";
import { openEventStream } from "../../testing/open-event-stream.ts";
import { registerPerson } from "../../testing/test-app.ts";

const app = testAppWithCalls();

const members = async (token: string) => (await app.ask("GET", "/v1/members", { token })).json();
const me = async (token: string) => (await app.ask("GET", "/v1/users/me", { token })).json();
const setRole = (by: TestPerson, userId: string, role: Role) =>
  app.ask("PUT", `/v1/members/${userId}`, { token: by.token, body: { role, currentPassword: by.password } });
const remove = (by: TestPerson, userId: string) => app.ask("DELETE", `/v1/members/${userId}`, { token: by.token });

async function join(owner: Rep, role: Role): Promise<TestPerson> {
  const person = await registerPerson(app);
  await joinOrganisation(app, person, { organisationId: owner.organisationId, role });
  return person;
}

let listening: Promise<string> | undefined;
const origin = (): Promise<string> => (listening ??= app.http.listen({ port: 0, host: "127.0.0.1" }));

describe("roles", () => {
  test("every member sees all members with their roles", async () => {
    const owner = await newRep(app);
    const member = await join(owner, "member");
    const list = await members(member.token);
    expect(list).toHaveLength(2);
    expect(list).toContainEqual(expect.objectContaining({ userId: owner.id, email: owner.email, role: "owner" }));
    expect(await members((await newRep(app)).token)).toHaveLength(1);
  });

  test("an admin can make members admins, but can't make, change or remove owners", async () => {
    const owner = await newRep(app);
    const [admin, member] = [await join(owner, "admin"), await join(owner, "member")];
    expect((await setRole(admin, member.id, "admin")).json()).toMatchObject({ userId: member.id, role: "admin" });
    expect((await setRole(admin, member.id, "member")).statusCode).toBe(200);
    for (const refused of [
      await setRole(admin, member.id, "owner"),
      await setRole(admin, admin.id, "owner"),
      await setRole(admin, owner.id, "member"),
      await remove(admin, owner.id),
    ]) {
      expect(refused.statusCode).toBe(403);
      expect(refused.json().type).toBe("/api/docs#not-allowed");
    }
    expect((await members(owner.token)).filter(({ role }: { role: Role }) => role === "owner")).toHaveLength(1);
  });

  test("a member can't change any role, including their own, or remove anyone else", async () => {
    const owner = await newRep(app);
    const [member, other] = [await join(owner, "member"), await join(owner, "member")];
    expect((await setRole(member, member.id, "admin")).statusCode).toBe(403);
    expect((await remove(member, other.id)).statusCode).toBe(403);
    expect(await members(owner.token)).toHaveLength(3);
  });

  test("the last owner can't be removed or demoted, even by concurrent requests", async () => {
    const owner = await newRep(app);
    const second = await join(owner, "owner");
    const both = await Promise.all([setRole(owner, second.id, "member"), setRole(second, owner.id, "member")]);
    expect(both.filter((answer) => answer.statusCode === 200)).toHaveLength(1);
    const last = (await members(owner.token)).find(({ role }: { role: Role }) => role === "owner");
    const lastOwner = last.userId === owner.id ? owner : second;
    for (const refused of [
      await setRole(lastOwner, lastOwner.id, "admin"),
      await remove(lastOwner, lastOwner.id),
      await app.ask("POST", `/v1/organisations/${owner.organisationId}/leave`, { token: lastOwner.token }),
    ]) {
      expect(refused.statusCode).toBe(409);
      expect(refused.json()).toMatchObject({
        type: "/api/docs#last-owner",
        detail: "An organisation needs an owner. Make another member an owner first.",
      });
    }
  });

  test("a member of another organisation is not found", async () => {
    const [owner, stranger] = [await newRep(app), await newRep(app)];
    expect((await setRole(owner, stranger.id, "member")).statusCode).toBe(404);
    expect((await remove(owner, stranger.id)).statusCode).toBe(404);
    expect((await me(stranger.token)).activeOrganisation.role).toBe("owner");
  });
});

describe("an analyst", () => {
  test("can be invited, reads what members read, and can't change anything or call", async () => {
    const owner = await newRep(app);
    const analyst = await join(owner, "analyst");
    const { token } = analyst;
    expect((await me(token)).activeOrganisation.role).toBe("analyst");
    const lead = { firstName: "Ada", lastName: "Stone", email: "ada@stone.example", phone: "+12025550100" };
    const { id } = (await app.ask("POST", "/v1/leads", { token: owner.token, body: lead })).json();
    const reads = [
      "/v1/leads",
      `/v1/leads/${id}`,
      "/v1/leads/export",
      "/v1/calls",
      "/v1/billing/entries",
      "/v1/limits",
    ];
    for (const path of reads) expect((await app.ask("GET", path, { token })).statusCode).toBe(200);
    const refused = [
      await app.ask("POST", "/v1/leads", { token, body: lead }),
      await app.ask("PUT", `/v1/leads/${id}`, { token, body: { firstName: "Eve" } }),
      await app.ask("POST", "/v1/calls", { token, body: { phoneNumber: "+12025550100" } }),
      await app.ask("PUT", `/v1/organisations/${owner.organisationId}`, { token, body: { name: "Taken" } }),
    ];
    expect(refused.map(({ statusCode }) => statusCode)).toEqual([403, 403, 403, 403]);
    expect(refused[0]?.json().detail).toBe("You have read-only access. Ask an admin to make you a member.");
    expect((await app.ask("GET", "/v1/teammates", { token: owner.token })).json()).toEqual([]);
  });

  test("who was a member loses their call and no longer has calls ring, until they are a member again", async () => {
    const owner = await newRep(app);
    const member = await join(owner, "member");
    const present = () => [...app.liveEvents.openStreams.peopleIn(owner.organisationId)];
    let stream = await openEventStream(await origin(), { token: member.token });
    expect(present()).toEqual([member.id]);
    const callSid = await dial(app, member, "+12025550100");
    await waitForStatus(app, member, { callSid, status: "in-progress" });
    expect((await setRole(owner, member.id, "analyst")).statusCode).toBe(200);
    await stream.ended;
    await waitForStatus(app, owner, { callSid, status: "completed" });
    stream = await openEventStream(await origin(), { token: member.token });
    expect(present()).toEqual([]);
    await setRole(owner, member.id, "member");
    await stream.ended;
    stream = await openEventStream(await origin(), { token: member.token });
    expect(present()).toEqual([member.id]);
    stream.close();
  });
});

describe("removing a member", () => {
  test("ends their stream and their call at once, and leaves them without an active organisation", async () => {
    const owner = await newRep(app);
    const member = await join(owner, "member");
    const stream = await openEventStream(await origin(), { token: member.token });
    const callSid = await dial(app, member, "+12025550100");
    await waitForStatus(app, member, { callSid, status: "in-progress" });
    expect((await remove(owner, member.id)).statusCode).toBe(204);
    await stream.ended;
    const ended = await waitForStatus(app, owner, { callSid, status: "completed" });
    expect(ended.cause?.reason).toBe("signed-out");
    expect((await me(member.token)).activeOrganisation).toBeNull();
    expect((await app.ask("GET", "/v1/members", { token: member.token })).statusCode).toBe(403);
    const back = await app.ask("PUT", `/v1/users/set-organisation/${owner.organisationId}`, { token: member.token });
    expect(back.statusCode).toBe(404);
  });

  test("leaving is refused until the call has ended", async () => {
    const owner = await newRep(app);
    const member = await join(owner, "member");
    const callSid = await dial(app, member, "+12025550100");
    const leave = () => app.ask("POST", `/v1/organisations/${owner.organisationId}/leave`, { token: member.token });
    expect((await leave()).json().type).toBe("/api/docs#call-in-progress");
    await app.ask("POST", `/v1/calls/${callSid}/hang-up`, { token: member.token });
    expect((await leave()).statusCode).toBe(204);
    expect((await leave()).statusCode).toBe(404);
    expect(await members(owner.token)).toHaveLength(1);
  });

  test("leaving an inactive organisation doesn't change the active one", async () => {
    const [first, second] = [await newRep(app), await newRep(app)];
    await joinOrganisation(app, second, { organisationId: first.organisationId, role: "member" });
    await app.ask("PUT", `/v1/users/set-organisation/${second.organisationId}`, { token: second.token });
    const left = await app.ask("POST", `/v1/organisations/${first.organisationId}/leave`, { token: second.token });
    expect(left.statusCode).toBe(204);
    expect((await me(second.token)).activeOrganisation.id).toBe(second.organisationId);
    expect(await members(first.token)).toHaveLength(1);
  });
});
