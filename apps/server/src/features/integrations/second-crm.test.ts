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
  test("connects by its own callback, syncs, follows changes and deletions, and is given up there too", async () => {
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

  test("waits out its limits, and goes on by itself", async () => {
    const by = await newAdmin(app);
    const id = await connectIntegration(app, by, "hubspot");
    sandbox().faults.add({ path: /contacts/, status: 429, errorCode: "SECONDLY", after: 1 });
    const { id: runId } = await startSync(app, by, id);
    const waiting = await waitForRun(app, { by, id, until: (run) => run.id === runId && run.retryAt !== null });
    expect(waiting.problem).toBe("HubSpot asks to slow down.");
    const ended = await waitForRun(app, { by, id, until: (run) => run.endedAt !== null });
    expect(ended).toMatchObject({ status: "completed", created: sandbox().leadCount() });
  });

  test("whose access was taken away asks to be connected again, and is", async () => {
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

  test("is not connected by another CRM's routes", async () => {
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

  test("tells whoever runs this Leadline what to set, where the real one is not registered", async () => {
    const by = await newAdmin(app);
    const body = { service: "hubspot", label: "Real" };
    const { id } = (await app.ask("POST", "/v1/integrations", { token: by.token, body })).json();
    const login = await app.ask("POST", `/v1/integrations/hubspot/login/${id}`, { token: by.token });
    expect(login.json()).toMatchObject({ detail: expect.stringContaining("HUBSPOT_CLIENT_ID") });
  });
});
