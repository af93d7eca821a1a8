import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { answerConsent } from "../answer-consent.ts";
import type { SandboxCrm } from "../sandbox-crm.ts";
import { startSandboxCrm } from "./server.ts";

const callback = "http://app.example:3000/back";
const few = { tenSecondly: 4, searchesASecond: 2, daily: 5 };

let sandbox: SandboxCrm;
beforeAll(async () => {
  sandbox = await startSandboxCrm({ file: null, publicUrl: new URL("https://app.example:3000") }, { limits: few });
});
afterAll(() => sandbox.close());

const authorise = (query: Record<string, string>, host = "app.example:3000") =>
  sandbox.answerBrowser({
    method: "GET",
    url: `/oauth/authorize?${new URLSearchParams(query)}`,
    headers: { host },
    body: "",
  });
const good = { client_id: "leadline-on-this-machine", redirect_uri: callback, scope: "oauth", state: "<script>" };

const post = (path: string, form: Record<string, string>) =>
  fetch(new URL(path, sandbox.address), { method: "POST", body: new URLSearchParams(form) });
const app = () => ({ client_id: sandbox.clientId, client_secret: sandbox.clientSecret ?? "" });

/** A code from the consent page. */
function askForCode(): string {
  const url = `https://app.example/oauth/authorize?${new URLSearchParams({ ...good, redirect_uri: "https://app.example:3000/back" })}`;
  return answerConsent(sandbox, url, "allow").searchParams.get("code") ?? "";
}
const exchange = (code: string, more: Record<string, string> = {}) =>
  post("/oauth/2026-03/token", {
    grant_type: "authorization_code",
    redirect_uri: "https://app.example:3000/back",
    code,
    ...app(),
    ...more,
  });

describe("the consent page", () => {
  it("writes nothing from the request into the page, and redirects nobody to a foreign address", () => {
    expect(authorise({ ...good, scope: "oauth <script>" }).body).not.toContain("<script>");
    const foreign = [
      authorise({ ...good, redirect_uri: "https://evil.example/back" }),
      authorise({ ...good, client_id: "other" }),
      authorise({ ...good, scope: "" }),
    ];
    for (const { status, headers } of foreign) expect([status, headers["location"]]).toEqual([400, undefined]);
  });

  it("is all that a browser can reach", () => {
    for (const url of ["/oauth/2026-03/token", "/crm/v3/objects/contacts", "/"])
      expect(sandbox.answerBrowser({ method: "GET", url, headers: {}, body: "" }).status).toBe(404);
  });
});

describe("the token endpoint", () => {
  it("accepts a code once, only from its app and with its redirect address", async () => {
    const refused = async (code: string, more: Record<string, string> = {}) => {
      const answer = await exchange(code, more);
      return [answer.status, (await answer.json()).status];
    };
    expect(await refused(askForCode(), { client_secret: "guessed" })).toEqual([400, "BAD_CLIENT_SECRET"]);
    expect(await refused(askForCode(), { redirect_uri: callback })).toEqual([400, "BAD_REDIRECT_URI"]);
    const code = askForCode();
    expect((await exchange(code)).status).toBe(200);
    expect(await refused(code)).toEqual([400, "BAD_AUTH_CODE"]);
  });

  it("refuses a refresh token that was revoked", async () => {
    const { refresh_token: token } = await (await exchange(askForCode())).json();
    expect((await post("/oauth/2026-03/token/revoke", { token, ...app() })).status).toBe(204);
    const form = { grant_type: "refresh_token", refresh_token: token, ...app() };
    const refused = await post("/oauth/2026-03/token", form);
    expect([refused.status, await refused.json()]).toEqual([
      400,
      expect.objectContaining({ error: "invalid_grant", status: "BAD_REFRESH_TOKEN" }),
    ]);
  });
});

describe("the API", () => {
  const read = (token: string) =>
    fetch(new URL("/crm/v3/objects/contacts", sandbox.address), { headers: { authorization: `Bearer ${token}` } });

  it("distinguishes an unknown token from an expired one", async () => {
    expect(await (await read("guessed")).json()).toMatchObject({ category: "INVALID_AUTHENTICATION" });
    const { access_token: token } = await (await exchange(askForCode())).json();
    sandbox.expireAccess();
    const expired = await read(token);
    expect([expired.status, (await expired.json()).category]).toEqual([401, "EXPIRED_AUTHENTICATION"]);
  });

  it("counts requests per ten seconds, searches per second, and both per day", async () => {
    // Freeze the clock, because three searches can take longer than a second on a busy machine.
    vi.useFakeTimers({ toFake: ["Date"] });
    onTestFinished(() => void vi.useRealTimers());
    const { access_token: token } = await (await exchange(askForCode())).json();
    const search = () =>
      fetch(new URL("/crm/v3/objects/contacts/search", sandbox.address), {
        method: "POST",
        headers: { authorization: `Bearer ${token}` },
        body: "{}",
      });
    const outcomes: unknown[] = [];
    for (const ask of [
      search,
      search,
      search,
      () => read(token),
      () => read(token),
      () => read(token),
      () => read(token),
    ]) {
      const answer = await ask();
      outcomes.push(answer.status === 200 ? 200 : (await answer.json()).policyName);
    }
    expect(outcomes).toEqual([200, 200, "SECONDLY", 200, 200, 200, "DAILY"]);
    const answer = await read(token);
    expect(answer.headers.get("x-hubspot-ratelimit-max")).toBe("4");
  });

  it("explains which values it doesn't accept", () => {
    const refuse = (properties: object) => {
      const body = { properties };
      return JSON.parse(sandbox.ask({ method: "POST", path: "/crm/v3/objects/contacts", body }).body).message;
    };
    expect(refuse({ shoesize: "44" })).toContain("PROPERTY_DOESNT_EXIST");
    expect(refuse({ lastmodifieddate: "0" })).toContain("READ_ONLY_VALUE");
    expect(refuse({ hs_lead_status: "Lukewarm" })).toContain("INVALID_OPTION");
    expect(refuse({ email: "nobody" })).toContain("INVALID_EMAIL");
  });
});

it("a sandbox with a file persists changes", async () => {
  const folder = mkdtempSync(join(tmpdir(), "sandbox-crm-"));
  const file = join(folder, "state.json");
  const first = await startSandboxCrm({ file, publicUrl: null });
  first.ask({ method: "POST", path: "/crm/v3/objects/contacts", body: { properties: { lastname: "Kept" } } });
  await first.close();
  const second = await startSandboxCrm({ file, publicUrl: null });
  expect(second.leadCount()).toBe(251);
  await second.close();
  rmSync(folder, { recursive: true });
});
