import { strFromU8, unzipSync } from "fflate";
import { expect, test } from "vitest";
import { leavePastCalls } from "../../testing/past-calls.ts";
import { joinOrganisation, makeOrganisation, registerPerson, testApp } from "../../testing/test-app.ts";

const app = testApp();
const phoneNumber = "+12025550142";

async function newOwner() {
  const person = await registerPerson(app);
  const { id, name } = await makeOrganisation(app, person);
  return { ...person, organisationId: id, organisationName: name };
}

async function exported({ token }: { token: string }) {
  const answer = await app.ask("GET", "/v1/users/me/personal-data", { token });
  expect(answer.statusCode).toBe(200);
  expect(answer.headers["content-disposition"]).toContain("my-data.zip");
  const files = Object.entries(unzipSync(answer.rawPayload)).map(([name, bytes]) => [name, strFromU8(bytes)] as const);
  const all: Record<string, string> = Object.fromEntries(files);
  const lines = (name: string) =>
    (all[name] ?? "")
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line));
  return {
    names: Object.keys(all).toSorted(),
    text: Object.values(all).join("\n"),
    data: JSON.parse(all["data.json"] ?? "null"),
    calls: lines("calls.jsonl"),
    notes: lines("notes.jsonl"),
    auditLog: lines("audit-log.jsonl"),
  };
}

const png = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

test("a person downloads what is stored about them, and nothing about their colleagues", async () => {
  const [by, colleague] = [await newOwner(), await registerPerson(app)];
  const { organisationId, organisationName } = by;
  await joinOrganisation(app, colleague, { organisationId, role: "member" });
  const body = { firstName: "Quentin", lastName: "Stone", email: "ada@stone.example", phone: phoneNumber };
  const lead = (await app.ask("POST", "/v1/leads", { token: by.token, body })).json().id;
  await app.ask("POST", `/v1/leads/${lead}/notes`, { token: by.token, body: { text: "Prefers mornings." } });
  await app.ask("POST", `/v1/leads/${lead}/notes`, { token: colleague.token, body: { text: "Prefers evenings." } });
  const at = new Date().toISOString();
  await leavePastCalls(app, by, [{ at, phoneNumber, talkMs: 60_000, note: "Asked for an offer." }]);
  await leavePastCalls(app, { id: colleague.id, organisationId }, [{ at, phoneNumber: "+12025550177" }]);
  const form = new FormData();
  form.append("file[]", new File([png], "me.png"));
  form.append("entity", "user");
  form.append("entityId", by.id);
  expect((await app.ask("POST", "/v1/files", { token: by.token, form })).statusCode).toBe(201);

  const { names, text, data, calls, notes, auditLog } = await exported(by);
  expect(names).toEqual(["audit-log.jsonl", "avatar/me.png", "calls.jsonl", "data.json", "notes.jsonl"]);
  expect(data).toMatchObject({
    profile: { id: by.id, firstName: "Robin", email: by.email },
    memberships: [{ organisation: organisationName, role: "owner" }],
    files: [{ name: "me.png", organisation: null }],
  });
  expect(data.sessions).toHaveLength(1);
  expect(calls).toMatchObject([{ organisation: organisationName, phoneNumber, note: "Asked for an offer." }]);
  expect(notes).toMatchObject([{ text: "Prefers mornings." }]);
  expect(auditLog.map(({ action }) => action)).toContain("lead.noted");
  for (const theirs of [colleague.email, "Prefers evenings.", "+12025550177"]) expect(text).not.toContain(theirs);
});

test("calls in an organisation that they left come without number and note, and its notes stay there", async () => {
  const [owner, leaver] = [await newOwner(), await registerPerson(app)];
  const { organisationId } = owner;
  await joinOrganisation(app, leaver, { organisationId, role: "member" });
  const body = { firstName: "Quentin", lastName: "Stone", email: "ada@stone.example", phone: phoneNumber };
  const lead = (await app.ask("POST", "/v1/leads", { token: leaver.token, body })).json().id;
  await app.ask("POST", `/v1/leads/${lead}/notes`, { token: leaver.token, body: { text: "Prefers mornings." } });
  const at = new Date().toISOString();
  await leavePastCalls(app, { id: leaver.id, organisationId }, [{ at, phoneNumber, note: "Asked for an offer." }]);
  expect((await exported(leaver)).notes).toHaveLength(1);
  await app.ask("POST", `/v1/organisations/${organisationId}/leave`, { token: leaver.token });
  const { text, calls, notes } = await exported(leaver);
  expect(calls).toMatchObject([{ phoneNumber: null, note: null, status: "no-answer" }]);
  expect(notes).toEqual([]);
  for (const ofLead of [phoneNumber, "Quentin", "Asked for an offer.", "mornings"]) expect(text).not.toContain(ofLead);
});
