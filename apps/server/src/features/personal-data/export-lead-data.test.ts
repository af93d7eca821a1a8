import { strFromU8, unzipSync } from "fflate";
import { describe, expect, test } from "vitest";
import { leaveMessage, toneFile } from "../../testing/left-messages.ts";
import { leavePastCalls } from "../../testing/past-calls.ts";
import { joinOrganisation, makeOrganisation, registerPerson, testApp } from "../../testing/test-app.ts";

const app = testApp();
const phone = "+12025550100";

async function newOwner() {
  const person = await registerPerson(app);
  const { id: organisationId } = await makeOrganisation(app, person);
  const body = { firstName: "Ada", lastName: "Stone", email: "ada@stone.example", phone };
  const lead = (await app.ask("POST", "/v1/leads", { token: person.token, body })).json();
  return { ...person, organisationId, leadId: lead.id as string };
}
type Owner = Awaited<ReturnType<typeof newOwner>>;
const exported = (by: { token: string }, leadId: string) =>
  app.ask("GET", `/v1/leads/${leadId}/personal-data`, { token: by.token });
function upload(by: Owner, name: string, content: string) {
  const form = new FormData();
  form.append("file[]", new File([content], name));
  form.append("entity", "lead");
  form.append("entityId", by.leadId);
  return app.ask("POST", "/v1/files", { token: by.token, form });
}

describe("a lead's personal data", () => {
  test("is one ZIP of all that is stored about them, and of nobody else", async () => {
    const by = await newOwner();
    const other = { firstName: "Bob", lastName: "Rivers", email: "bob@rivers.example", phone: "+12025550177" };
    await app.ask("POST", "/v1/leads", { token: by.token, body: other });
    await app.ask("PUT", `/v1/leads/${by.leadId}`, { token: by.token, body: { company: "Quay Ltd" } });
    await app.ask("POST", `/v1/leads/${by.leadId}/notes`, { token: by.token, body: { text: "Prefers mornings." } });
    await upload(by, "offer.pdf", "%PDF-1.7 an offer");
    await upload(by, "offer.pdf", "%PDF-1.7 another offer");
    const message = await leaveMessage(app, by, { phoneNumber: phone });
    const [called = ""] = await leavePastCalls(app, by, [{ at: new Date().toISOString(), phoneNumber: phone }]);
    await leavePastCalls(app, by, [{ at: new Date().toISOString(), phoneNumber: other.phone }]);
    const answer = await exported(by, by.leadId);
    expect(answer.statusCode).toBe(200);
    expect(answer.headers["content-disposition"]).toContain(`personal-data-${by.leadId}.zip`);
    const { "data.json": json = new Uint8Array(), ...files } = unzipSync(answer.rawPayload);
    expect(Object.keys(files).toSorted()).toEqual([
      "files/offer (2).pdf",
      "files/offer.pdf",
      `voicemail/${message.callSid}.wav`,
    ]);
    expect(Buffer.from(files[`voicemail/${message.callSid}.wav`] ?? []).equals(toneFile(440, 2_000))).toBe(true);
    const data = JSON.parse(strFromU8(json));
    expect(data).toMatchObject({
      lead: { first_name: "Ada", email: "ada@stone.example", company: "Quay Ltd" },
      notes: [{ text: "Prefers mornings." }],
      changes: [{ changes: [{ field: "company", after: "Quay Ltd" }] }],
      files: [{ name: "offer.pdf" }, { name: "offer.pdf" }],
      voicemail: [{ call_sid: message.callSid }],
    });
    const actions = data.auditLog.map(({ action }: { action: string }) => action);
    expect(new Set(actions)).toEqual(new Set(["lead.created", "lead.updated", "lead.noted", "files.uploaded"]));
    const calls = data.calls.map((call: { call_sid: string }) => call.call_sid);
    expect(calls.toSorted()).toEqual([message.callSid, called].toSorted());
    expect(strFromU8(json)).not.toContain("Rivers");
    expect(strFromU8(json)).not.toContain(other.phone);
  });

  test("is exported by owners and admins only, of their own organisation", async () => {
    const [by, stranger, member] = [await newOwner(), await newOwner(), await registerPerson(app)];
    await joinOrganisation(app, member, { organisationId: by.organisationId, role: "member" });
    expect((await exported(member, by.leadId)).statusCode).toBe(403);
    expect((await exported(stranger, by.leadId)).statusCode).toBe(404);
  });

  test("isn't exported in part: a missing file is named instead", async () => {
    const by = await newOwner();
    const { storedName } = await leaveMessage(app, by, { phoneNumber: phone });
    await app.store.remove(storedName);
    const answer = await exported(by, by.leadId);
    expect(answer.statusCode).toBe(404);
    expect(answer.json().detail).toMatch(/^voicemail\/CA\w+\.wav is missing on the server/);
  });
});
