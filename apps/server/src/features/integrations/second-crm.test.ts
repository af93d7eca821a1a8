import { describe, expect, test } from "vitest";
import { testApp } from "../../testing/test-app.ts";
import {
  addIntegration,
  askForAccess,
  connectIntegration,
  leadsOf,
  newAdmin,
  readIntegration,
  startSync,
  syncToTheEnd,
  waitForRun,
} from "../../testing/test-integrations.ts";

const app = testApp();
const contacts = "/crm/v3/objects/contacts";
const sandbox = () => app.crm.sandboxOf("hubspot");
const ask = (method: string, path: string, body?: object) =>
  sandbox().ask({ method, path: contacts + path, ...(body === undefined ? {} : { body }) });

describe("HubSpot", () => {
  test("connects through its own callback, syncs, follows changes and deletions, and its access is revoked", async () => {
    const by = await newAdmin(app);
    const id = await connectIntegration(app, by, "hubspot");
    expect(await readIntegration(app, by, id)).toMatchObject({ service: "hubspot", status: "active", problem: null });
    const there = sandbox().leadCount();
    expect(await syncToTheEnd(app, by, id)).toMatchObject({ status: "completed", total: there, created: there });
    expect(await leadsOf(app, by)).toHaveLength(there);

    ask("PATCH", "/10020", { properties: { lastname: "Renamed" } });
    ask("DELETE", "/10021");
    const made = JSON.parse(ask("POST", "", { properties: { lastname: "Newcomer", phone: "+12025550142" } }).body);
    expect(await syncToTheEnd(app, by, id)).toMatchObject({ status: "completed", created: 1, updated: 1, deleted: 1 });
    const leads = new Map((await leadsOf(app, by)).map((lead) => [lead.external_id, lead]));
    expect(leads.get("10020")?.last_name).toBe("Renamed");
    expect(leads.has("10021")).toBe(false);
    expect(leads.get(made.id)?.phone_number).toBe("+12025550142");

    expect((await app.ask("DELETE", `/v1/integrations/${id}`, { token: by.token })).statusCode).toBe(204);
  });

  test("lists the records it leaves out, with reasons and links", async () => {
    const by = await newAdmin(app);
    const id = await connectIntegration(app, by, "hubspot");
    const empty = JSON.parse(ask("POST", "", { properties: { company: "Nobody & Sons" } }).body);
    const run = await syncToTheEnd(app, by, id);
    expect(run.failed).toBe(1);
    const read = (runId: string, token = by.token) =>
      app.ask("GET", `/v1/integrations/${id}/syncs/${runId}`, { token });
    const { leftOut, ...told } = (await read(run.id)).json();
    expect(told).toEqual({ ...run, integration: { id, label: expect.any(String), service: "hubspot" } });
    expect(leftOut).toEqual([
      {
        externalId: empty.id,
        message: "It has no name, email or phone number.",
        url: expect.stringMatching(new RegExp(`/record/0-1/${empty.id}$`)),
      },
    ]);
    expect((await read(crypto.randomUUID())).statusCode).toBe(404);
    ask("DELETE", `/${empty.id}`);
  });

  test("gives a lead its company, job title and record URL, and a search finds it by company", async () => {
    const by = await newAdmin(app);
    const id = await connectIntegration(app, by, "hubspot");
    await syncToTheEnd(app, by, id);
    const job = { company: "Zephyr Ballooning", jobtitle: "Pilot" };
    ask("PATCH", "/10022", { properties: job });
    expect(await syncToTheEnd(app, by, id)).toMatchObject({ updated: 1 });
    const found = (await app.ask("GET", "/v1/leads?search=zephyr%20balloon", { token: by.token })).json();
    expect(found).toMatchObject([
      { company: job.company, jobTitle: job.jobtitle, crmUrl: expect.stringMatching(/\/record\/0-1\/10022$/) },
    ]);
    // A detached lead has no record in the CRM.
    await app.ask("DELETE", `/v1/integrations/${id}`, { token: by.token });
    const { crmUrl } = (await app.ask("GET", `/v1/leads/${found[0].id}`, { token: by.token })).json();
    expect(crmUrl).toBeNull();
  });

  test("waits for its rate limits, and continues by itself", async () => {
    const by = await newAdmin(app);
    const id = await connectIntegration(app, by, "hubspot");
    sandbox().faults.add({ path: /contacts/, status: 429, errorCode: "SECONDLY", after: 1 });
    const { id: runId } = await startSync(app, by, id);
    const waiting = await waitForRun(app, { by, id, until: (run) => run.id === runId && run.retryAt !== null });
    expect(waiting.problem).toBe("HubSpot asks to slow down.");
    const ended = await waitForRun(app, { by, id, until: (run) => run.endedAt !== null });
    expect(ended).toMatchObject({ status: "completed", created: sandbox().leadCount() });
  });

  test("whose access was revoked asks to be reconnected, and can be", async () => {
    const by = await newAdmin(app);
    const id = await connectIntegration(app, by, "hubspot");
    sandbox().endAllGrants();
    expect(await syncToTheEnd(app, by, id)).toMatchObject({
      status: "failed",
      problem: expect.stringMatching(/^HubSpot no longer accepts .*Connect it again/),
    });
    const body = await askForAccess(app, by, id, "hubspot");
    await app.ask("POST", "/v1/integrations/hubspot/callback", { token: by.token, body });
    expect(await readIntegration(app, by, id)).toMatchObject({ status: "active", problem: null });
    expect(await syncToTheEnd(app, by, id)).toMatchObject({ status: "completed" });
  });

  test("can't be connected through another CRM's routes", async () => {
    const by = await newAdmin(app);
    const id = await addIntegration(app, by, "hubspot");
    const { token } = by;
    const started = await app.ask("POST", `/v1/integrations/salesforce/login/${id}`, { token });
    expect(started.statusCode).toBe(404);
    const body = await askForAccess(app, by, id, "hubspot");
    const finished = await app.ask("POST", "/v1/integrations/salesforce/callback", { token, body });
    expect(finished.json()).toMatchObject({ type: "/api/docs#authorisation-refused" });
    expect(await readIntegration(app, by, id)).toMatchObject({ status: "inactive" });
  });
});
