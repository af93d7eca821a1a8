// @vitest-environment node
import { listCalls } from "@leadline/contract/calls";
import { checkCarrier } from "@leadline/contract/carriers";
import { addToDoNotCall } from "@leadline/contract/do-not-call";
import { downloadFile, uploadFiles } from "@leadline/contract/files";
import { finishHostedLogin } from "@leadline/contract/hosted-login";
import { createOrganisation } from "@leadline/contract/organisations";
import { login } from "@leadline/contract/sessions";
import { getMe, getUser } from "@leadline/contract/users";
import { expect, test, vi } from "vitest";
import { type ApiClientOptions, createApiClient } from "./create-api-client.ts";
import type { Session } from "./session.ts";
import { createBrowserStorage, sendJson, sendProblem, signedInSession, startFakeApi } from "./testing/fake-api.ts";
import { createSession } from "./session.ts";

const client = (
  baseUrl: string,
  session: Session,
  more: Partial<Omit<ApiClientOptions, "baseUrl" | "session" | "locks">> = {},
) => createApiClient({ baseUrl, session, locks: undefined, onSignedOut: () => undefined, ...more });

test("sends the bearer token, fills in the path, and returns the body", async () => {
  const api = await startFakeApi((_, response) => sendJson(response, 200, { firstName: "Grace" }));
  const { request } = client(api.baseUrl, signedInSession());
  const user = await request(getUser, { params: { id: "a/b" } });
  expect(user.firstName).toBe("Grace");
  expect(api.requests[0]).toMatchObject({ path: "/api/v1/users/a%2Fb", authorization: "Bearer access-0" });
});

test("a public call carries no token, and its 401 refreshes nothing", async () => {
  const api = await startFakeApi((_, response) => sendProblem(response, 401, "wrong-credentials"));
  const { request } = client(api.baseUrl, signedInSession());
  const sent = request(login, { body: { email: "a@b.co", password: "x" } });
  await expect(sent).rejects.toMatchObject({
    code: "wrong-credentials",
    status: 401,
    detail: "Why wrong-credentials.",
  });
  expect(api.requests).toHaveLength(1);
  expect(api.requests[0]?.authorization).toBeUndefined();
});

test("a refused form returns its field messages and the delay", async () => {
  const errors = [{ field: "name", message: "Name must be at least 2 characters." }];
  const api = await startFakeApi((_, response) =>
    sendProblem(response, 422, "invalid-input", { errors, retryAfterSeconds: 3 }),
  );
  const { request } = client(api.baseUrl, signedInSession());
  const sent = request(createOrganisation, { body: { name: "x" } });
  await expect(sent).rejects.toMatchObject({ code: "invalid-input", errors, retryAfterSeconds: 3 });
});

test("a server that doesn't respond in time is a time-out with a message", async () => {
  const api = await startFakeApi(() => undefined);
  const { request } = client(api.baseUrl, signedInSession(), { timeoutMs: 60 });
  await expect(request(getMe, {})).rejects.toMatchObject({ code: "time-out", status: 0 });
});

test("a time-out says how long it waited: for a file, longer", async () => {
  const api = await startFakeApi(() => undefined);
  const { request, requestFile } = client(api.baseUrl, signedInSession(), { timeoutMs: 10, transferTimeoutMs: 20 });
  const within = (seconds: string) => ({
    detail: expect.stringContaining(`didn’t respond within ${seconds} seconds.`),
  });
  await expect(request(getMe, {})).rejects.toMatchObject(within("0.01"));
  await expect(requestFile(downloadFile, { params: { id: "x" } })).rejects.toMatchObject(within("0.02"));
});

test("a server has ten seconds to respond by default", async () => {
  const api = await startFakeApi((_, response) => sendJson(response, 200, { firstName: "Grace" }));
  const timers = vi.spyOn(AbortSignal, "timeout");
  await client(api.baseUrl, signedInSession()).request(getMe, {});
  expect(timers.mock.calls).toEqual([[10_000]]);
  timers.mockRestore();
});

test("testing a carrier may take a minute, as the contract says", async () => {
  const api = await startFakeApi((_, response) => sendJson(response, 200, []));
  const timers = vi.spyOn(AbortSignal, "timeout");
  await client(api.baseUrl, signedInSession()).request(checkCarrier, { body: { kind: "sip-trunk", settings: {} } });
  expect(timers.mock.calls).toEqual([[60_000]]);
  timers.mockRestore();
});

test("a response that stalls half-way is a time-out too", async () => {
  const api = await startFakeApi((_, response) => void response.writeHead(200).write('{"firstName":'));
  const { request } = client(api.baseUrl, signedInSession(), { timeoutMs: 80 });
  await expect(request(getMe, {})).rejects.toMatchObject({ code: "time-out" });
});

test("an unreachable server is reported as no connection, and a proxy's page isn't a response", async () => {
  const gone = await startFakeApi(() => undefined);
  gone.stop();
  await expect(client(gone.baseUrl, signedInSession()).request(getMe, {})).rejects.toMatchObject({
    code: "no-connection",
  });
  const proxy = await startFakeApi((_, response) => void response.writeHead(502).end("<h1>Bad gateway</h1>"));
  await expect(client(proxy.baseUrl, signedInSession()).request(getMe, {})).rejects.toMatchObject({
    code: "answer-unreadable",
    status: 502,
  });
});

test("an abort by the caller stays an abort", async () => {
  const api = await startFakeApi(() => undefined);
  const controller = new AbortController();
  const sent = client(api.baseUrl, signedInSession()).request(getMe, {}, { signal: controller.signal });
  controller.abort();
  await expect(sent).rejects.toMatchObject({ name: "AbortError" });
});

test("without tokens it warns, and a 401 means that there is no session, without a refresh", async () => {
  const warn = vi.spyOn(console, "warn").mockImplementation(() => undefined);
  const api = await startFakeApi((_, response) => sendProblem(response, 401, "not-signed-in"));
  const onSignedOut = vi.fn<(outcome: string) => void>();
  const { request } = client(api.baseUrl, createSession(createBrowserStorage()), { onSignedOut });
  await expect(request(getMe, {})).rejects.toMatchObject({ status: 401 });
  expect(warn).toHaveBeenCalledWith("No auth token.");
  expect(onSignedOut.mock.calls).toEqual([["no-session"]]);
  expect(api.requests).toHaveLength(1);
  warn.mockRestore();
});

test("a page returns the query of the next one from the Link header", async () => {
  const link = '</api/v1/calls?limit=2&before=CA1>; rel="next"';
  const api = await startFakeApi(({ path }, response) =>
    sendJson(response, 200, [], path.includes("before") ? {} : { link }),
  );
  const { requestPage } = client(api.baseUrl, signedInSession());
  const first = await requestPage(listCalls, { query: { limit: 2 } });
  expect(first.next?.get("before")).toBe("CA1");
  const last = await requestPage(listCalls, { query: { limit: 2, before: "CA1" } });
  expect(last.next).toBeNull();
});

test("files are sent as a form with their fields, with a longer time-out", async () => {
  const api = await startFakeApi(async (_, response) => {
    await new Promise((resolve) => setTimeout(resolve, 120));
    sendJson(response, 201, []);
  });
  const { request } = client(api.baseUrl, signedInSession(), { timeoutMs: 60 });
  const entityId = "7d1b9e2e-5a0a-4c3e-9d57-0a4e7f6f3b11";
  const files = [new File(["hello"], "a.txt"), new File(["there"], "b.txt")];
  expect(await request(uploadFiles, { body: { entity: "lead", entityId }, files })).toEqual([]);
  const { body } = api.requests[0] ?? { body: "" };
  expect(body).toMatch(/name="entity"\r\n\r\nlead/);
  expect(body).toMatch(/name="file\[\]"; filename="a.txt"[\s\S]*hello[\s\S]*filename="b.txt"[\s\S]*there/);
});

test("the hosted login's token request is form-encoded, without a token", async () => {
  const api = await startFakeApi((_, response, { headers }) =>
    sendJson(response, 200, { type: headers["content-type"] }),
  );
  const { request } = client(api.baseUrl, signedInSession());
  const body = { grant_type: "authorization_code", code: "a&b", state: "c=d", proof: "e", iss: undefined } as const;
  expect(await request(finishHostedLogin, { body })).toEqual({
    type: "application/x-www-form-urlencoded;charset=UTF-8",
  });
  expect(api.requests[0]).toMatchObject({
    authorization: undefined,
    body: "grant_type=authorization_code&code=a%26b&state=c%3Dd&proof=e",
  });
});

test("a file is fetched with the token, and its refusal is a problem like any other", async () => {
  const api = await startFakeApi(({ path }, response) =>
    path.endsWith("gone") ? sendProblem(response, 404, "not-found") : void response.writeHead(200).end("content"),
  );
  const { requestFile } = client(api.baseUrl, signedInSession());
  expect(await (await requestFile(downloadFile, { params: { id: "a" } })).text()).toBe("content");
  expect(api.requests[0]?.authorization).toBe("Bearer access-0");
  await expect(requestFile(downloadFile, { params: { id: "gone" } })).rejects.toMatchObject({ code: "not-found" });
});

test("a response requested early is used, without a second request; a failed one is requested again", async () => {
  const api = await startFakeApi((_, response) => sendJson(response, 200, { firstName: "Grace" }));
  const early = [Promise.resolve(Response.json({ firstName: "Ada" })), Promise.resolve(null)];
  const asked = vi.fn<NonNullable<ApiClientOptions["earlyAnswer"]>>(() => early.shift() ?? null);
  const { request } = client(api.baseUrl, signedInSession(), { earlyAnswer: asked });
  expect((await request(getMe, {})).firstName).toBe("Ada");
  expect([asked.mock.lastCall, api.requests.length]).toEqual([[`${api.baseUrl}/v1/users/me`, "access-0"], 0]);
  expect((await request(getMe, {})).firstName).toBe("Grace");
  expect((await request(getMe, {})).firstName).toBe("Grace");
  expect(api.requests).toHaveLength(2);
});

test("an early 401 refreshes and retries like any other", async () => {
  const api = await startFakeApi(({ path }, response) =>
    sendJson(response, 200, path.endsWith("/refresh") ? { access_token: "access-1", refresh_token: "refresh-1" } : {}),
  );
  const refused = Response.json({ code: "unauthenticated", title: "No", status: 401 }, { status: 401 });
  const early = [Promise.resolve(refused)];
  const { request } = client(api.baseUrl, signedInSession(), { earlyAnswer: () => early.shift() ?? null });
  await request(getMe, {});
  expect(api.requests.map(({ path, authorization }) => [path, authorization])).toEqual([
    [expect.stringMatching(/refresh/), undefined],
    ["/api/v1/users/me", "Bearer access-1"],
  ]);
});

test("sends the page's organisation with what is read or changed in it, and reports a switch", async () => {
  const api = await startFakeApi((_, response) => sendProblem(response, 409, "organisation-switched"));
  const onOtherOrganisation = vi.fn<() => void>();
  const { request } = client(api.baseUrl, signedInSession(), { organisationId: () => "quay", onOtherOrganisation });
  await expect(request(addToDoNotCall, { body: { phoneNumber: "+12025550100" } })).rejects.toMatchObject({
    code: "organisation-switched",
  });
  expect(onOtherOrganisation).toHaveBeenCalledOnce();
  await expect(request(listCalls, {})).rejects.toMatchObject({ status: 409 });
  await expect(request(getMe, {})).rejects.toMatchObject({ status: 409 });
  await expect(request(createOrganisation, { body: { name: "Third" } })).rejects.toMatchObject({ status: 409 });
  expect(api.requests.map(({ organisation }) => organisation)).toEqual(["quay", "quay", undefined, undefined]);
});

test("reports a switch even after the token has expired", async () => {
  const api = await startFakeApi(({ path, authorization }, response) => {
    if (path.endsWith("/refresh")) sendJson(response, 200, { access_token: "access-1", refresh_token: "refresh-1" });
    else if (authorization === "Bearer access-0") sendProblem(response, 401, "not-signed-in");
    else sendProblem(response, 409, "organisation-switched");
  });
  const onOtherOrganisation = vi.fn<() => void>();
  const { request } = client(api.baseUrl, signedInSession(), { organisationId: () => "quay", onOtherOrganisation });
  await expect(request(listCalls, {})).rejects.toMatchObject({ code: "organisation-switched" });
  expect(onOtherOrganisation).toHaveBeenCalledOnce();
});
