import { randomUUID } from "node:crypto";
import { CreateIntegrationInput } from "@leadline/contract/integrations";
import { describe, expect, test } from "vitest";
import { openEventStream } from "../../testing/open-event-stream.ts";
import { joinOrganisation, registerPerson, testApp } from "../../testing/test-app.ts";
import {
  addIntegration,
  type Admin,
  connectIntegration,
  leadsOf,
  newAdmin,
  readIntegration,
  syncToTheEnd,
} from "../../testing/test-integrations.ts";
import { readGrant } from "./access/crm-access.ts";
import { createIntegration } from "./create-integration.ts";

const app = testApp();

const create = (by: Admin, body: object) => app.ask("POST", "/v1/integrations", { token: by.token, body });

describe("the services", () => {
  test("lists three CRMs, each with its required fields and its sandbox's domain", async () => {
    const by = await newAdmin(app);
    const answer = await app.ask("GET", "/v1/integrations/services", { token: by.token });
    const workspaceField = expect.objectContaining({ label: "Workspace domain", minLength: 5 });
    const writingHelp = expect.stringMatching(/\.$/);
    const missing = (name: string, settings: string) => ({
      name,
      notRegistered: `Leadline isn’t registered with ${name} yet. The administrator of this server must set ${settings}.`,
    });
    const sandbox = { deletions: true, writingHelp, choosesSource: false };
    expect(answer.json()).toEqual([
      {
        service: "salesforce",
        ...missing("Salesforce", "SALESFORCE_CLIENT_ID"),
        workspaceField,
        ...sandbox,
        sandboxDomain: app.crm.sandbox.domain,
      },
      {
        service: "podio",
        ...missing("Podio", "PODIO_CLIENT_ID and PODIO_CLIENT_SECRET"),
        workspaceField: null,
        deletions: false,
        writingHelp,
        choosesSource: true,
        sandboxDomain: app.crm.sandboxOf("podio").domain,
      },
      {
        service: "hubspot",
        ...missing("HubSpot", "HUBSPOT_CLIENT_ID and HUBSPOT_CLIENT_SECRET"),
        workspaceField: null,
        ...sandbox,
        sandboxDomain: app.crm.sandboxOf("hubspot").domain,
      },
    ]);
  });
});

/** Without the settings that register Leadline with the vendors, only sandboxes can be added. */
const createWith = (
  environment: Record<string, string>,
  by: Admin,
  body: { service: string; label: string; workspaceDomain?: string },
) => {
  const organisation = { id: by.organisationId, role: "owner" } as const;
  const caller = { userId: by.id, sessionId: randomUUID(), organisation };
  return createIntegration(app.crm.openDeps(environment), caller, CreateIntegrationInput.parse(body));
};

describe("a new integration", () => {
  test("is inactive, and listed with the given values", async () => {
    const by = await newAdmin(app);
    const given = {
      service: "salesforce",
      label: "  Sales cloud ",
      workspaceDomain: " https://ACME.lightning.force.com/lightning/page/home ",
    };
    const made = await createWith({ SALESFORCE_CLIENT_ID: "ours" }, by, given);
    const expected = { label: "Sales cloud", service: "salesforce", workspaceDomain: "acme.my.salesforce.com" };
    expect(made).toMatchObject({ ...expected, status: "inactive", problem: null, lastSync: null });
    const list = await app.ask("GET", "/v1/integrations", { token: by.token });
    expect(list.json()).toEqual([made]);
  });

  test("for a CRM that can't be connected is refused, and leaves no row", async () => {
    const by = await newAdmin(app);
    const deps = app.crm.openDeps();
    const without = { ...deps, crms: { ...deps.crms, find: () => null } };
    const caller = {
      userId: by.id,
      sessionId: randomUUID(),
      organisation: { id: by.organisationId, role: "owner" },
    } as const;
    const refused = createIntegration(without, caller, { service: "podio", label: "Later" });
    await expect(refused).rejects.toMatchObject({ code: "invalid-input" });
    expect((await app.ask("GET", "/v1/integrations", { token: by.token })).json()).toEqual([]);
  });

  test("of a CRM with one address for all customers has no domain, and accepts only the sandbox's", async () => {
    const by = await newAdmin(app);
    const environment = { HUBSPOT_CLIENT_ID: "ours", HUBSPOT_CLIENT_SECRET: "secret" };
    expect(await createWith(environment, by, { service: "hubspot", label: "Contacts" })).toMatchObject({
      workspaceDomain: null,
    });
    const foreign = await create(by, { service: "hubspot", label: "Trap", workspaceDomain: "evil.example" });
    expect(foreign.json()).toMatchObject({ type: "/api/docs#workspace-domain-refused" });
  });

  test("reports missing fields in the specification's words", async () => {
    const by = await newAdmin(app);
    const messages = async (body: object): Promise<string[]> =>
      (await create(by, body)).json().errors.map(({ message }: { message: string }) => message);
    expect(await messages({ service: "", label: "x" })).toEqual([
      "Please select a service.",
      "Label must be at least 2 characters.",
    ]);
    expect(await messages({ service: "pipedrive", label: "Fine" })).toEqual(["Please select a service."]);
    for (const workspaceDomain of [undefined, null, "", "  a.b  "])
      expect(await messages({ service: "salesforce", label: "Fine", workspaceDomain })).toEqual([
        "Workspace domain is required.",
      ]);
    expect(await messages({ service: "salesforce", label: "" })).toEqual([
      "Label must be at least 2 characters.",
      "Workspace domain is required.",
    ]);
  });

  test.each(["127.0.0.1", "localhost", "10.0.0.8:5432", "[::1]", "2130706433", "evil.com#.salesforce.com"])(
    "never connects to %s",
    async (workspaceDomain) => {
      const by = await newAdmin(app);
      const refused = await create(by, { service: "salesforce", label: "Trap", workspaceDomain });
      expect(refused.json()).toMatchObject({ status: 422, type: "/api/docs#workspace-domain-refused" });
    },
  );

  test.each([
    ["hubspot", "HUBSPOT_CLIENT_ID and HUBSPOT_CLIENT_SECRET"],
    ["podio", "PODIO_CLIENT_ID and PODIO_CLIENT_SECRET"],
  ])(
    "of %s isn't saved while the operator hasn't registered Leadline there, and says how",
    async (service, settings) => {
      const by = await newAdmin(app);
      const refused = await create(by, { service, label: "Real" });
      expect(refused.json()).toMatchObject({
        status: 409,
        type: "/api/docs#crm-not-available",
        detail: expect.stringMatching(`The administrator of this server must set ${settings}\\.$`),
      });
      expect((await app.ask("GET", "/v1/integrations", { token: by.token })).json()).toEqual([]);
      expect(
        (await create(by, { service, label: "Made up", workspaceDomain: app.crm.sandboxOf(service).domain }))
          .statusCode,
      ).toBe(201);
    },
  );

  test("with a domain of its own is saved, and says what the operator must set before it can be connected", async () => {
    const by = await newAdmin(app);
    const made = await create(by, { service: "salesforce", label: "Real", workspaceDomain: "acme.my.salesforce.com" });
    expect([made.statusCode, made.json().status]).toEqual([201, "inactive"]);
    const login = await app.ask("POST", `/v1/integrations/salesforce/login/${made.json().id}`, { token: by.token });
    expect(login.json()).toMatchObject({
      type: "/api/docs#crm-not-available",
      detail: expect.stringContaining("SALESFORCE_CLIENT_ID"),
    });
  });
});

describe("an integration", () => {
  test("is renamed, and other tabs are notified", async () => {
    const by = await newAdmin(app);
    const id = await addIntegration(app, by);
    const origin = await app.http.listen({ port: 0, host: "127.0.0.1" });
    const stream = await openEventStream(origin, { token: by.token });
    await stream.until(() => stream.events.length === 1);
    const renamed = await app.ask("PUT", `/v1/integrations/${id}`, { token: by.token, body: { label: "West coast" } });
    expect(renamed.json()).toMatchObject({ id, label: "West coast" });
    await stream.until(() => stream.events.some(({ event }) => event === "integration.updated"));
    stream.close();
    const short = await app.ask("PUT", `/v1/integrations/${id}`, { token: by.token, body: { label: "W" } });
    expect(short.json().errors).toEqual([{ field: "label", message: "Label must be at least 2 characters." }]);
  });

  test("is added, connected, renamed and removed by admins only; a member may see and sync it", async () => {
    const owner = await newAdmin(app);
    const id = await connectIntegration(app, owner);
    const { token } = await registerPerson(app).then(async (member) => {
      await joinOrganisation(app, member, { organisationId: owner.organisationId, role: "member" });
      return member;
    });
    const body = { service: "podio", label: "Mine" };
    const refusals = [
      await app.ask("POST", "/v1/integrations", { token, body }),
      await app.ask("PUT", `/v1/integrations/${id}`, { token, body }),
      await app.ask("DELETE", `/v1/integrations/${id}`, { token }),
      await app.ask("POST", `/v1/integrations/salesforce/login/${id}`, { token }),
    ];
    expect(refusals.map(({ statusCode }) => statusCode)).toEqual([403, 403, 403, 403]);
    expect((await app.ask("GET", "/v1/integrations", { token })).json()).toHaveLength(1);
    expect((await app.ask("POST", `/v1/integrations/${id}/sync`, { token })).statusCode).toBe(201);
  });

  test("of another organisation is not found", async () => {
    const owner = await newAdmin(app);
    const id = await connectIntegration(app, owner);
    const { token } = await newAdmin(app);
    const answers = [
      await app.ask("PUT", `/v1/integrations/${id}`, { token, body: { label: "Taken" } }),
      await app.ask("DELETE", `/v1/integrations/${id}`, { token }),
      await app.ask("POST", `/v1/integrations/${id}/sync`, { token }),
      await app.ask("GET", `/v1/integrations/${id}/syncs`, { token }),
      await app.ask("POST", `/v1/integrations/salesforce/login/${id}`, { token }),
    ];
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([404, 404, 404, 404, 404]);
    expect(await readIntegration(app, owner, id)).toMatchObject({ label: "Harbour CRM", lastSync: null });
  });

  test("that is removed revokes its access in the CRM, and keeps its leads", async () => {
    const by = await newAdmin(app);
    const id = await connectIntegration(app, by);
    await syncToTheEnd(app, by, id);
    const before = await leadsOf(app, by);
    const deps = app.crm.openDeps();
    const { grant } = await readGrant(deps, { ...integrationOf(by), id });
    expect((await app.ask("DELETE", `/v1/integrations/${id}`, { token: by.token })).statusCode).toBe(204);
    expect((await app.ask("GET", "/v1/integrations", { token: by.token })).json()).toEqual([]);
    const after = await leadsOf(app, by);
    expect(after.length).toBe(before.length);
    expect(new Set(after.map((lead) => lead.integration_id))).toEqual(new Set([null]));
    await expect(deps.crms.find("salesforce")?.crm.readLeads(grant, null, null)).rejects.toMatchObject({
      fault: "access-refused",
    });
  });

  test("can be removed while the CRM is unavailable", async () => {
    const by = await newAdmin(app);
    const id = await connectIntegration(app, by);
    app.crm.sandbox.faults.add({ path: /revoke/, status: 503 });
    expect((await app.ask("DELETE", `/v1/integrations/${id}`, { token: by.token })).statusCode).toBe(204);
  });
});

const integrationOf = (by: Admin) => ({
  organisationId: by.organisationId,
  label: "",
  service: "salesforce" as const,
  workspace: app.crm.sandbox.domain,
  accountId: null,
  status: "active" as const,
  problem: null,
  mapping: null,
  sendsChanges: false,
});
