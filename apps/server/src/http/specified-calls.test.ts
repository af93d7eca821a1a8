import { specifiedForms, specifiedlyGood, specifiedMessages } from "@leadline/contract/testing/specified-rules";
import { beforeAll, describe, expect, test } from "vitest";
import { registerPerson } from "../testing/test-app.ts";
import { newRep, type Rep, testAppWithCalls } from "../testing/test-calls.ts";
import { addIntegration, askForAccess } from "../testing/test-integrations.ts";

const app = testAppWithCalls();
let rep: Rep;
let integrationId: string;
beforeAll(async () => {
  rep = await newRep(app);
  integrationId = await addIntegration(app, rep);
});

const get = async (path: string) => (await app.ask("GET", path, { token: rep.token })).json();
async function send(method: "POST" | "PUT", path: string, body?: object) {
  const answer = await app.ask(method, path, { token: rep.token, ...(body && { body }) });
  expect({ path, status: answer.statusCode, answer: answer.body }).toMatchObject({
    status: expect.toSatisfy((status) => status >= 200 && status < 300),
  });
  return answer.body === "" ? null : answer.json();
}

describe("the calls of the specification, below /api", () => {
  test("GET /v1/users/me returns the current user", async () => {
    expect(await get("/v1/users/me")).toMatchObject({
      id: rep.id,
      firstName: "Robin",
      lastName: "Tester",
      email: rep.email,
      avatar: null,
      activeOrganisation: { id: rep.organisationId, balance: expect.any(Number) },
    });
  });
  test("GET /v1/users/{id} returns a user", async () => {
    expect(await get(`/v1/users/${rep.id}`)).toMatchObject({ id: rep.id, email: rep.email });
  });
  test("PUT /v1/users/{id} accepts the user as it was read, with changes", async () => {
    const user = await get(`/v1/users/${rep.id}`);
    await send("PUT", `/v1/users/${rep.id}`, { ...user, firstName: "Robyn" });
    expect(await get("/v1/users/me")).toMatchObject({ firstName: "Robyn", lastName: "Tester", email: rep.email });
    await send("PUT", `/v1/users/${rep.id}`, { ...user, firstName: "Robin" });
  });
  test("PUT /v1/users/set-organisation/{id} sets the active organisation, without a body", async () => {
    const other = await send("POST", "/v1/organisations", { name: "Quay" });
    await send("PUT", `/v1/users/set-organisation/${rep.organisationId}`);
    expect((await get("/v1/users/me")).activeOrganisation.id).toBe(rep.organisationId);
    expect(other.id).not.toBe(rep.organisationId);
  });
  test("POST /v1/login returns token and refresh_token, and POST /v1/token/refresh an access_token", async () => {
    const { email, password } = await registerPerson(app);
    const login = (await app.ask("POST", "/v1/login", { body: { email, password } })).json();
    expect(login).toEqual({ token: expect.any(String), refresh_token: expect.any(String) });
    const body = { refreshToken: login.refresh_token };
    const refreshed = (await app.ask("POST", "/v1/token/refresh", { body })).json();
    expect(refreshed).toEqual({ access_token: expect.any(String), refresh_token: expect.any(String) });
    expect((await app.ask("GET", "/v1/users/me", { token: refreshed.access_token })).statusCode).toBe(200);
  });
  test("POST /v1/register returns the id", async () => {
    const body = { ...specifiedForms.register.good, email: `specified-${rep.email}` };
    const registered = await app.ask("POST", "/v1/register", { body });
    expect(registered.json()).toEqual({ id: expect.any(String) });
  });
  test("POST /v1/files accepts file[], with or without entity and entityId", async () => {
    const upload = (fields: Record<string, string>) => {
      const form = new FormData();
      form.append("file[]", new File(["%PDF-1.7"], "one.pdf"));
      form.append("file[]", new File(["%PDF-1.7"], "two.pdf"));
      for (const [name, value] of Object.entries(fields)) form.append(name, value);
      return app.ask("POST", "/v1/files", { token: rep.token, form });
    };
    expect((await upload({})).json()).toMatchObject([{ name: "one.pdf", entity: null }, { name: "two.pdf" }]);
    const lead = await send("POST", "/v1/leads", specifiedForms.lead.good);
    const attached = (await upload({ entity: "lead", entityId: lead.id })).json();
    expect(attached).toMatchObject([{ entity: "lead", entityId: lead.id }, { entityId: lead.id }]);
  });
  test("POST /v1/integrations creates an inactive one, which GET /v1/integrations lists", async () => {
    const given = { service: "salesforce", label: "Quay CRM", workspaceDomain: app.crm.sandbox.domain };
    const made = await send("POST", "/v1/integrations", given);
    expect(made).toMatchObject({ id: expect.any(String), ...given, status: "inactive" });
    expect(await get("/v1/integrations")).toContainEqual(made);
  });
  test("POST /v1/integrations/salesforce/login/{id} returns a url, and the callback makes it active and ready to sync", async () => {
    const login = await send("POST", `/v1/integrations/salesforce/login/${integrationId}`);
    expect(new URL(login.url).searchParams.get("response_type")).toBe("code");
    const callback = await askForAccess(app, rep, integrationId);
    expect(callback.integrationId.startsWith(integrationId)).toBe(true);
    await send("POST", "/v1/integrations/salesforce/callback", callback);
    const integrations: { id: string }[] = await get("/v1/integrations");
    expect(integrations.find(({ id }) => id === integrationId)).toMatchObject({ status: "active" });
    expect(await send("POST", `/v1/integrations/${integrationId}/sync`)).toMatchObject({ status: "queued" });
  });
  test("POST /v1/leads adds one, which GET /v1/leads lists", async () => {
    const { id } = await send("POST", "/v1/leads", { ...specifiedForms.lead.good, lastName: "Specified" });
    expect(await get("/v1/leads?search=specified")).toMatchObject([{ id, firstName: "Bob", status: "New" }]);
  });
  test("POST /v1/calls accepts a phoneNumber and returns the callSid", async () => {
    const started = await send("POST", "/v1/calls", { phoneNumber: "+12025550100" });
    expect(started).toEqual({ callSid: expect.stringMatching(/^CA[0-9a-f]{32}$/) });
    await send("POST", `/v1/calls/${started.callSid}/hang-up`);
  });
  test("POST /v1/organisations creates one, which GET lists and reads", async () => {
    const given = specifiedForms.organisation.good;
    const made = await send("POST", "/v1/organisations", given);
    expect(made).toMatchObject({ ...given, balance: 0 });
    expect(await get(`/v1/organisations/${made.id}`)).toEqual(made);
    expect(await get("/v1/organisations")).toContainEqual(made);
    await send("PUT", `/v1/users/set-organisation/${rep.organisationId}`);
  });
  test("GET /v1/phone-numbers/available accepts countryCode and an optional query, and returns numbers for sale", async () => {
    const every = await get("/v1/phone-numbers/available?countryCode=GB");
    expect(every[0]).toMatchObject({
      number: expect.stringMatching(/^\+44/),
      location: expect.any(String),
      monthlyCost: expect.any(Number),
      capabilities: { voice: true, sms: expect.any(Boolean), mms: expect.any(Boolean), fax: expect.any(Boolean) },
    });
    expect(every[0]).toHaveProperty("region");
    const some = await get("/v1/phone-numbers/available?countryCode=GB&query=0161");
    expect(some.length).toBeLessThan(every.length);
    expect(await get("/v1/phone-numbers")).toEqual([]);
  });
  test("a failure is an error object with detail, title and status", async () => {
    const answer = await app.ask("GET", "/v1/organisations/7d1b9e2e-5a0a-4c3e-9d57-0a4e7f6f3b11", { token: rep.token });
    expect(answer.json()).toMatchObject({ detail: expect.any(String), title: "Not found", status: 404 });
  });
  test("every call after login needs a bearer token", async () => {
    for (const path of ["/v1/users/me", "/v1/integrations", "/v1/leads", "/v1/calls", "/v1/organisations"])
      expect((await app.ask("GET", path)).statusCode).toBe(401);
  });
});

describe("the forms' rules, on the server", () => {
  test.each(specifiedMessages)("%s: %s of %j is refused with: %s", async (form, field, value, message) => {
    const { path, good } = specifiedForms[form];
    const answer = await app.ask("POST", path, { token: rep.token, body: { ...good, [field]: value } });
    expect({ status: answer.statusCode, ...answer.json() }).toMatchObject({
      status: 422,
      errors: [{ field, message }],
    });
  });
  // A login needs its account, and a domain its CRM.
  const made = specifiedlyGood.filter(([form]) => form === "lead" || form === "organisation");
  test.each(made)("%s is accepted with %j", async (form, change) => {
    const { path, good } = specifiedForms[form];
    const sent: Record<string, unknown> = { ...good, ...change };
    const answer = await send("POST", path, sent);
    // An omitted field is null.
    const kept = Object.entries(sent).map(([field, value]) => [field, value ?? null]);
    expect(answer).toMatchObject(Object.fromEntries(kept));
  });
});
