import { randomUUID } from "node:crypto";
import { expect, test, vi } from "vitest";
import { lowerRowQuota } from "../../testing/lower-row-quota.ts";
import { newRep, type Rep, testAppWithCalls } from "../../testing/test-calls.ts";
import { connectIntegration, leadsOf, newAdmin, syncToTheEnd } from "../../testing/test-integrations.ts";
import { rowQuotas } from "./refuse-over-row-quota.ts";

const app = testAppWithCalls();

const addLead = ({ token }: Rep, phone = "+12025550100") =>
  app.ask("POST", "/v1/leads", {
    token,
    body: { firstName: "Ada", lastName: "Stone", email: "ada@stone.example", phone },
  });

test("an organisation adds leads up to its quota, one by one or from a file, whatever another has", async () => {
  const [rep, another] = [await newRep(app), await newRep(app)];
  lowerRowQuota("leads", 3);
  expect([(await addLead(rep)).statusCode, (await addLead(rep)).statusCode]).toEqual([201, 201]);
  const form = new FormData();
  form.append(
    "file[]",
    new File(
      [
        "First name,Last name,Email,Phone\nBob,Stone,a@stone.example,+12025550101\nBob,Stone,b@stone.example,+12025550102\n",
      ],
      "two.csv",
    ),
  );
  const { id } = (await app.ask("POST", "/v1/lead-imports", { token: rep.token, form })).json();
  const body = { mapping: { firstName: 0, lastName: 1, email: 2, phone: 3 } };
  const started = await app.ask("POST", `/v1/lead-imports/${id}/start`, { token: rep.token, body });
  expect([started.statusCode, started.json().type]).toEqual([409, "/api/docs#quota-reached"]);
  expect((await addLead(rep)).statusCode).toBe(201);
  const refused = await addLead(rep);
  expect([refused.statusCode, refused.json().detail]).toEqual([
    409,
    "Your organisation can have 3 leads. Delete some you no longer need; it can take a minute until there is room.",
  ]);
  expect((await addLead(another)).statusCode).toBe(201);
});

test("an organisation adds numbers to its do-not-call list up to its quota, and one that is there again", async () => {
  const rep = await newRep(app);
  lowerRowQuota("do_not_call", 2);
  const add = (phoneNumber: string) => app.ask("POST", "/v1/do-not-call", { token: rep.token, body: { phoneNumber } });
  const statuses: number[] = [];
  for (const number of ["+12025550100", "+12025550101", "+12025550102", "+12025550101"])
    statuses.push((await add(number)).statusCode);
  expect(statuses).toEqual([201, 201, 409, 201]);
});

test("a sync stops at the quota of leads, keeps what it has read, and says why", async () => {
  const by = await newAdmin(app);
  const id = await connectIntegration(app, by);
  lowerRowQuota("leads", 150);
  const run = await syncToTheEnd(app, by, id);
  expect(run).toMatchObject({
    status: "failed",
    created: 100,
    problem: expect.stringMatching(/^Your organisation can have 150 leads\. Delete some/),
  });
  expect(await leadsOf(app, by)).toHaveLength(100);
  rowQuotas.leads = app.crm.sandbox.leadCount();
  const resumed = await syncToTheEnd(app, by, id);
  expect(resumed).toMatchObject({ status: "completed", created: rowQuotas.leads - 100, problem: null });
});

test("leads are marked as do not call up to the quota of the list, and marked ones again", async () => {
  const rep = await newRep(app);
  lowerRowQuota("do_not_call", 2);
  const ids: string[] = [];
  for (const last of [0, 1, 2]) ids.push((await addLead(rep, `+1202555010${last}`)).json().id);
  const mark = async (leads: object) => {
    const body = { ...leads, action: { kind: "do-not-call" } };
    const marked = await app.ask("POST", "/v1/lead-changes", { token: rep.token, body });
    return [marked.statusCode, marked.json().changed ?? marked.json().detail];
  };
  const full =
    "Your organisation can have 2 numbers on its do-not-call list. Delete some you no longer need; it can take a minute until there is room.";
  expect(await mark({ ids })).toEqual([409, full]);
  expect(await mark({ ids: ids.slice(0, 2) })).toEqual([201, 2]);
  expect(await mark({ ids: ids.slice(0, 2) })).toEqual([201, 0]);
  expect(await mark({ matching: {} })).toEqual([409, full]);
});

test("marking all leads that match stops at the quota of the do-not-call list", async () => {
  const rep = await newRep(app);
  lowerRowQuota("do_not_call", 1);
  for (const last of [0, 1]) await addLead(rep, `+1202555010${last}`);
  const body = { matching: {}, action: { kind: "do-not-call" } };
  const { id } = (await app.ask("POST", "/v1/lead-changes", { token: rep.token, body })).json();
  const changes = () => app.ask("GET", "/v1/lead-changes", { token: rep.token });
  await vi.waitFor(async () => expect((await changes()).json()).toMatchObject([{ id, state: "failed", changed: 0 }]));
  expect((await app.ask("GET", "/v1/do-not-call", { token: rep.token })).json()).toEqual([]);
});

test("a lead has as many notes as its page shows", async () => {
  const rep = await newRep(app);
  const lead = (await addLead(rep)).json().id;
  const add = () => app.ask("POST", `/v1/leads/${lead}/notes`, { token: rep.token, body: { text: "Called." } });
  const scope = { organisationId: rep.organisationId, userId: rep.id };
  await app.database.withTransaction(scope, (tx) => {
    const note = { organisation_id: rep.organisationId, lead_id: lead, user_id: rep.id, text: "Called." };
    const notes = Array.from({ length: 499 }, () => ({ ...note, id: randomUUID() }));
    return tx.insertInto("lead_notes").values(notes).execute();
  });
  expect((await add()).statusCode).toBe(201);
  const refused = await add();
  expect([refused.statusCode, refused.json().detail]).toEqual([
    409,
    "A lead can have 500 notes. Delete some you no longer need.",
  ]);
  expect((await app.ask("GET", `/v1/leads/${lead}/notes`, { token: rep.token })).json()).toHaveLength(500);
});
