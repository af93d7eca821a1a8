// @vitest-environment node
import { getMe, updateUser } from "@leadline/contract/users";
import { expect, test, vi } from "vitest";
import { createApiClient } from "./create-api-client.ts";
import { createSession } from "./session.ts";
import { createBrowserStorage, sendJson, sendProblem, signedInSession, startFakeApi } from "./testing/fake-api.ts";

/** Rotates as the server does: only the latest refresh token is valid, unless `forgiving`. */
async function startRotatingApi(options: { refreshStatus?: () => number } = {}) {
  let generation = 0;
  const api = await startFakeApi(async ({ path, authorization, body }, response) => {
    if (!path.endsWith("/token/refresh")) {
      if (generation > 0 && authorization === `Bearer access-${generation}`)
        return sendJson(response, 200, { ok: true });
      return sendProblem(response, 401, "not-signed-in");
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
    const status = options.refreshStatus?.() ?? 200;
    if (status !== 200) return sendProblem(response, status, status === 401 ? "refresh-token-invalid" : "unavailable");
    if (JSON.parse(body).refreshToken !== `refresh-${generation}`) {
      return sendProblem(response, 401, "refresh-token-invalid");
    }
    generation += 1;
    sendJson(response, 200, { access_token: `access-${generation}`, refresh_token: `refresh-${generation}` });
  });
  const refreshes = () => api.requests.filter(({ path }) => path.endsWith("/token/refresh")).length;
  return { ...api, refreshes };
}

function openTab(baseUrl: string, storage: ReturnType<typeof createBrowserStorage>, options: { locks: boolean }) {
  const onSignedOut = vi.fn<() => void>();
  const locks = options.locks ? navigator.locks : undefined;
  return { onSignedOut, ...createApiClient({ baseUrl, session: createSession(storage), locks, onSignedOut }) };
}

test("many simultaneous 401s cause one refresh, and each call is repeated", async () => {
  const api = await startRotatingApi();
  const storage = createBrowserStorage();
  signedInSession(storage);
  const tab = openTab(api.baseUrl, storage, { locks: false });
  await Promise.all(Array.from({ length: 12 }, () => tab.request(getMe, {})));
  expect(api.refreshes()).toBe(1);
  expect(createSession(storage).refreshToken()).toBe("refresh-1");
});

test("three tabs that refresh at once stay logged in, with one refresh between them", async () => {
  const api = await startRotatingApi();
  const storage = createBrowserStorage();
  signedInSession(storage);
  const tabs = [1, 2, 3].map(() => openTab(api.baseUrl, storage, { locks: true }));
  await Promise.all(tabs.map((tab) => tab.request(getMe, {})));
  expect(api.refreshes()).toBe(1);
  for (const tab of tabs) expect(tab.onSignedOut).not.toHaveBeenCalled();
});

test("without locks a refused refresh is ignored if another tab has stored new tokens meanwhile", async () => {
  const api = await startRotatingApi();
  const storage = createBrowserStorage();
  signedInSession(storage);
  const tabs = [1, 2, 3].map(() => openTab(api.baseUrl, storage, { locks: false }));
  await Promise.all(tabs.map((tab) => tab.request(getMe, {})));
  for (const tab of tabs) expect(tab.onSignedOut).not.toHaveBeenCalled();
  expect(createSession(storage).refreshToken()).toBe("refresh-1");
});

test("a refused refresh clears the tokens and reports signed-out", async () => {
  const api = await startRotatingApi({ refreshStatus: () => 401 });
  const storage = createBrowserStorage();
  signedInSession(storage);
  const tab = openTab(api.baseUrl, storage, { locks: true });
  await expect(tab.request(getMe, {})).rejects.toMatchObject({ code: "not-signed-in" });
  expect(createSession(storage).refreshToken()).toBeNull();
  expect(createSession(storage).accessToken()).toBeNull();
  expect(tab.onSignedOut).toHaveBeenCalledOnce();
  // The refresh call's own 401 refreshes nothing.
  expect(api.refreshes()).toBe(1);
});

test("a failing server logs no one out, and the next call retries", async () => {
  const statuses = [503, 200];
  const api = await startRotatingApi({ refreshStatus: () => statuses.shift() ?? 200 });
  const storage = createBrowserStorage();
  signedInSession(storage);
  const tab = openTab(api.baseUrl, storage, { locks: true });
  await expect(tab.request(getMe, {})).rejects.toMatchObject({ status: 503 });
  expect(tab.onSignedOut).not.toHaveBeenCalled();
  expect(createSession(storage).refreshToken()).toBe("refresh-0");
  await expect(tab.request(getMe, {})).resolves.toEqual({ ok: true });
});

test("a wrong current password isn't mistaken for an ended session", async () => {
  const api = await startFakeApi((_, response) => sendProblem(response, 401, "wrong-credentials"));
  const storage = createBrowserStorage();
  signedInSession(storage);
  const tab = openTab(api.baseUrl, storage, { locks: true });
  const sent = tab.request(updateUser, { params: { id: "1" }, body: { password: "a long one", currentPassword: "x" } });
  await expect(sent).rejects.toMatchObject({ code: "wrong-credentials" });
  expect(api.requests).toHaveLength(1);
});
