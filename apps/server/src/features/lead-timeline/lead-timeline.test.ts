import type { Lead } from "@leadline/contract/leads";
import type { LeadTimelineEntry } from "@leadline/contract/lead-timeline";
import { expect, test } from "vitest";
import type { Tx } from "../../db/transaction.ts";
import { leaveMessage } from "../../testing/left-messages.ts";
import { connectIntegration, newAdmin, syncToTheEnd } from "../../testing/test-integrations.ts";
import { leavePastCalls } from "../../testing/past-calls.ts";
import { newRep, type Rep, testAppWithCalls } from "../../testing/test-calls.ts";
import { upsertLeads } from "../leads/sync/upsert-leads.ts";

const app = testAppWithCalls();

const inScope = <T>({ organisationId }: { organisationId: string }, work: (tx: Tx) => Promise<T>) =>
  app.database.withTransaction({ organisationId }, work);

async function addLead(rep: Rep): Promise<Lead> {
  const body = { firstName: "Bob", lastName: "Stone", email: "bob@stone.example", phone: "+12025550100" };
  return (await app.ask("POST", "/v1/leads", { token: rep.token, body })).json();
}
const read = (rep: Rep, id: string, query = "") =>
  app.ask("GET", `/v1/leads/${id}/timeline?${query}`, { token: rep.token });
const timeline = async (rep: Rep, id: string): Promise<LeadTimelineEntry[]> => (await read(rep, id)).json();

test("calls, notes, files and changes are one list, newest first, page by page", async () => {
  const rep = await newRep(app);
  const { token } = rep;
  const lead = await addLead(rep);
  expect(await timeline(rep, lead.id)).toEqual([]);
  await leavePastCalls(app, rep, [
    { at: "2026-01-14T10:00:00Z", phoneNumber: "+12025550100", note: "Asked for Eve", talkMs: 61_000 },
    { at: "2026-01-15T10:00:00Z", phoneNumber: "+12025550100", leadId: lead.id },
    { at: "2026-01-15T10:00:00Z", phoneNumber: "+12025550199" },
  ]);
  await app.ask("POST", `/v1/leads/${lead.id}/notes`, { token, body: { text: "Wants a quote." } });
  const form = new FormData();
  form.append("file[]", new File(["%PDF-1.7"], "offer.pdf"));
  form.append("entity", "lead");
  form.append("entityId", lead.id);
  await app.ask("POST", "/v1/files", { token, form });
  await app.ask("PUT", `/v1/leads/${lead.id}`, {
    token,
    body: { status: "Working", ownerId: rep.id, nextStep: "Call" },
  });
  await app.ask("PUT", `/v1/leads/${lead.id}`, { token, body: { status: "Working" } });
  const all = await timeline(rep, lead.id);
  expect(all).toMatchObject([
    {
      kind: "change",
      userName: "Robin Tester",
      fields: [
        { field: "status", before: "New", after: "Working" },
        { field: "owner", before: "", after: "Robin Tester" },
        { field: "nextStep", before: "", after: "Call" },
      ],
    },
    { kind: "file", name: "offer.pdf", userName: "Robin Tester" },
    { kind: "note", text: "Wants a quote.", userName: "Robin Tester" },
    { kind: "call", call: { note: "", status: "no-answer" }, outcomeName: null, voicemail: null },
    { kind: "call", call: { note: "Asked for Eve", status: "completed", durationMs: 61_000 } },
  ]);
  const pages: LeadTimelineEntry[] = [];
  let query: string | undefined = "limit=2";
  while (query !== undefined) {
    const answer = await read(rep, lead.id, query);
    pages.push(...answer.json());
    query = /\?([^>]+)>/.exec(String(answer.headers["link"] ?? ""))?.[1];
  }
  expect(pages).toEqual(all);
});

test("has voicemail messages to play, and says whether they have been heard", async () => {
  const rep = await newRep(app);
  const lead = await addLead(rep);
  const message = { phoneNumber: "+12025550100", durationMs: 2_000 };
  const heard = await leaveMessage(app, rep, { ...message, at: "2026-01-14T10:00:00Z", heard: true });
  const fresh = await leaveMessage(app, rep, { ...message, at: "2026-01-15T10:00:00Z" });
  await leaveMessage(app, rep, { ...message, at: "2026-01-13T10:00:00Z", halfRecordedBy: 1 });
  expect(await timeline(rep, lead.id)).toMatchObject([
    { kind: "call", callSid: fresh.callSid, voicemail: { durationMs: 2_000, heardAt: null } },
    { kind: "call", callSid: heard.callSid, voicemail: { heardAt: "2026-01-14T10:00:00.000000Z" } },
    { kind: "call", voicemail: null },
  ]);
});

test("names the sync run that made a change, as long as the run is kept", async () => {
  const admin = await newAdmin(app);
  const id = await connectIntegration(app, admin);
  await syncToTheEnd(app, admin, id);
  const [lead] = (await app.ask("GET", "/v1/leads?limit=1", { token: admin.token })).json();
  const { external_id: externalId } = await inScope(admin, (tx) =>
    tx.selectFrom("leads").select("external_id").where("id", "=", lead.id).executeTakeFirstOrThrow(),
  );
  const path = `/services/data/v62.0/sobjects/Lead/${externalId}`;
  app.crm.sandbox.ask({ method: "PATCH", path, body: { Title: "Chief Sailor" } });
  const run = await syncToTheEnd(app, admin, id);
  const entries = async () => (await app.ask("GET", `/v1/leads/${lead.id}/timeline`, { token: admin.token })).json();
  const sync = { integrationId: id, runId: run.id, label: "Harbour CRM" };
  expect(await entries()).toMatchObject([{ kind: "change", userName: null, sync, fields: [{ field: "jobTitle" }] }]);
  await app.ask("PUT", `/v1/leads/${lead.id}`, { token: admin.token, body: { nextStep: "Call" } });
  expect((await entries())[0]).toMatchObject({ kind: "change", sync: null });
  await inScope(admin, (tx) => tx.deleteFrom("sync_runs").where("id", "=", run.id).execute());
  expect((await entries())[1]).toMatchObject({ kind: "change", userName: null, sync: null });
});

test("shows a sync's changes without a person, and no timeline for another organisation's lead", async () => {
  const [rep, stranger] = [await newRep(app), await newRep(app)];
  const key = { organisationId: rep.organisationId, integrationId: crypto.randomUUID() };
  for (const company of ["Alder", "Birch"])
    await app.database.withTransaction(key, (tx) => {
      const bob = { externalId: "1", firstName: "Bob", lastName: "Stone", email: "", phone: "", company };
      return upsertLeads(tx, { ...key, leads: [bob], asOf: new Date().toISOString() });
    });
  const [lead] = (await app.ask("GET", "/v1/leads", { token: rep.token })).json();
  expect(await timeline(rep, lead.id)).toMatchObject([
    { kind: "change", userName: null, fields: [{ field: "company", before: "Alder", after: "Birch" }] },
  ]);
  expect((await read(stranger, lead.id)).statusCode).toBe(404);
  expect((await read(rep, lead.id, "after=x")).statusCode).toBe(422);
});
