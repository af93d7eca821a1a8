import type { Lead } from "@leadline/contract/leads";
import type { LeadTimelineEntry } from "@leadline/contract/lead-timeline";
import { expect, test } from "vitest";
import { leavePastCalls } from "../../testing/past-calls.ts";
import { newRep, type Rep, testAppWithCalls } from "../../testing/test-calls.ts";
import { upsertLeads } from "../leads/upsert-leads.ts";

const app = testAppWithCalls();

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
    { kind: "call", call: { note: "", status: "no-answer" }, outcomeName: null, hasVoicemail: false },
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

test("a sync's changes are told without a name, and a lead of another organisation has no timeline", async () => {
  const [rep, stranger] = [await newRep(app), await newRep(app)];
  const key = { organisationId: rep.organisationId, integrationId: crypto.randomUUID() };
  for (const company of ["Alder", "Birch"])
    await app.database.withTransaction(key, (tx) => {
      const bob = { externalId: "1", firstName: "Bob", lastName: "Stone", email: "", phone: "", company };
      return upsertLeads(tx, { ...key, leads: [bob] });
    });
  const [lead] = (await app.ask("GET", "/v1/leads", { token: rep.token })).json();
  expect(await timeline(rep, lead.id)).toMatchObject([
    { kind: "change", userName: null, fields: [{ field: "company", before: "Alder", after: "Birch" }] },
  ]);
  expect((await read(stranger, lead.id)).statusCode).toBe(404);
  expect((await read(rep, lead.id, "after=x")).statusCode).toBe(422);
});
