import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { answerConsent } from "../answer-consent.ts";
import type { SandboxCrm } from "../sandbox-crm.ts";
import { startSandboxCrm } from "./server.ts";

const callback = "https://app.example:3000/back";

let sandbox: SandboxCrm;
beforeAll(async () => {
  const limits = { hourly: 4, heavyHourly: 2 };
  sandbox = await startSandboxCrm({ file: null, publicUrl: new URL("https://app.example:3000") }, { limits });
});
afterAll(() => sandbox.close());

const good = { client_id: "leadline-on-this-machine", redirect_uri: callback, state: "<script>" };
const authorise = (query: Record<string, string>) =>
  sandbox.answerBrowser({
    method: "GET",
    url: `/oauth/authorize?${new URLSearchParams(query)}`,
    headers: { host: "app.example:3000" },
    body: "",
  });
const askForCode = (): string =>
  answerConsent(sandbox, `https://app.example/oauth/authorize?${new URLSearchParams(good)}`, "allow").searchParams.get(
    "code",
  ) ?? "";
async function askForToken(fields: Record<string, string>) {
  const body = { client_id: sandbox.clientId, client_secret: sandbox.clientSecret, ...fields };
  const answer = await fetch(new URL("/oauth/token/v2", sandbox.address), {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  return { status: answer.status, body: await answer.json() };
}
const exchange = (code: string, more: Record<string, string> = {}) =>
  askForToken({ grant_type: "authorization_code", redirect_uri: callback, code, ...more });

describe("the consent page", () => {
  it("writes nothing from the request into the page, and redirects nobody to a foreign address", () => {
    expect(authorise({ ...good, scope: "<script>" }).body).not.toContain("<script>");
    const foreign = [
      authorise({ ...good, redirect_uri: "https://evil.example/back" }),
      authorise({ ...good, client_id: "other" }),
    ];
    for (const { status, headers } of foreign) expect([status, headers["location"]]).toEqual([400, undefined]);
  });

  it("is all that a browser can reach", () => {
    for (const url of ["/oauth/token/v2", "/org/", "/"])
      expect(sandbox.answerBrowser({ method: "GET", url, headers: {}, body: "" }).status).toBe(404);
  });
});

describe("the token endpoint", () => {
  it("accepts a code once, only from its app and with its redirect address", async () => {
    expect(await exchange(askForCode(), { client_secret: "guessed" })).toMatchObject({
      status: 401,
      body: { error: "invalid_client" },
    });
    const elsewhere = await exchange(askForCode(), { redirect_uri: "https://app.example:3000/other" });
    expect([elsewhere.status, elsewhere.body.error]).toEqual([400, "invalid_grant"]);
    const code = askForCode();
    expect((await exchange(code)).body).toMatchObject({
      token_type: "bearer",
      expires_in: 28_800,
      ref: { type: "user" },
    });
    expect((await exchange(code)).body.error).toBe("invalid_grant");
  });

  it("rotates refresh tokens, and ends the access when a replaced one is used again", async () => {
    const first = (await exchange(askForCode())).body.refresh_token;
    const refresh = (refresh_token: string) => askForToken({ grant_type: "refresh_token", refresh_token });
    const second = (await refresh(first)).body.refresh_token;
    expect(second).not.toBe(first);
    expect((await refresh(first)).body.error).toBe("invalid_grant");
    expect((await refresh(second)).body.error).toBe("invalid_grant");
  });
});

describe("the API", () => {
  const ask = (token: string, path: string, body?: object) =>
    fetch(new URL(path, sandbox.address), {
      method: body === undefined ? "GET" : "POST",
      headers: { authorization: `OAuth2 ${token}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });

  it("distinguishes an unknown token from an expired one", async () => {
    expect(await (await ask("guessed", "/org/")).json()).toMatchObject({ error_description: "invalid_token" });
    const token = (await exchange(askForCode())).body.access_token;
    sandbox.expireAccess();
    const expired = await ask(token, "/org/");
    expect([expired.status, (await expired.json()).error_description]).toEqual([401, "expired_token"]);
  });

  it("counts requests per hour, and those with a filter separately", async () => {
    const token = (await exchange(askForCode())).body.access_token;
    const filter = () => ask(token, "/item/app/25110001/filter/", {});
    const answers = [await filter(), await filter(), await filter()];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 420]);
    expect(answers.map(({ headers }) => headers.get("x-rate-limit-remaining"))).toEqual(["1", "0", "0"]);
    expect(await answers[2]?.json()).toMatchObject({
      error: "rate_limit",
      error_description: expect.stringMatching(/wait \d+ seconds/),
    });
    expect((await ask(token, "/org/")).headers.get("x-rate-limit-limit")).toBe("4");
  });

  it("explains what it doesn't accept", () => {
    const filter = (body: object) => sandbox.ask({ method: "POST", path: "/item/app/25110001/filter/", body });
    for (const body of [{ limit: 501 }, { sort_by: "colour" }, { offset: -1 }]) expect(filter(body).status).toBe(400);
    const update = sandbox.ask({ method: "PUT", path: "/item/2800000001", body: { fields: { shoesize: "44" } } });
    expect(JSON.parse(update.body).error).toBe("invalid_value");
    expect(sandbox.ask({ method: "GET", path: "/app/1" }).status).toBe(404);
  });
});

describe("comments", () => {
  const ask = (method: string, path: string, body?: object) =>
    sandbox.ask({ method, path, ...(body === undefined ? {} : { body }) });
  const list = (query = "") => JSON.parse(ask("GET", `/comment/item/2800000001/${query}`).body);

  it("are listed in order, updated, deleted, and removed with their item", () => {
    const made = ["first", "second"].map((value) =>
      JSON.parse(ask("POST", "/comment/item/2800000001/", { value, external_id: 7 }).body),
    );
    expect(list()).toMatchObject([
      { value: "first", external_id: "7", ref: { type: "item", id: 2_800_000_001 }, last_edit_on: null },
      { value: "second" },
    ]);
    expect(list("?limit=1&offset=1")).toMatchObject([{ value: "second" }]);
    const [first, second] = made.map(({ comment_id }) => `/comment/${comment_id}`);
    expect(ask("PUT", first ?? "", { value: "changed" }).status).toBe(204);
    expect(JSON.parse(ask("GET", first ?? "").body)).toMatchObject({ value: "changed", external_id: "7" });
    expect(ask("DELETE", first ?? "").status).toBe(204);
    expect(ask("GET", first ?? "").status).toBe(404);
    expect(ask("DELETE", "/item/2800000001").status).toBe(204);
    expect([ask("GET", second ?? "").status, ask("GET", "/comment/item/2800000001/").status]).toEqual([404, 404]);
  });

  it("are refused without text, without an item, or beyond the list limit", () => {
    expect(ask("POST", "/comment/item/2800000002/", {}).status).toBe(400);
    expect(ask("POST", "/comment/item/1/", { value: "lost" }).status).toBe(404);
    expect(ask("GET", "/comment/item/2800000002/?limit=101").status).toBe(400);
  });

  it("require write permission", async () => {
    const write = async (scope: string) => {
      const url = `https://app.example/oauth/authorize?${new URLSearchParams({ ...good, scope })}`;
      const code = answerConsent(sandbox, url, "allow").searchParams.get("code") ?? "";
      const token = (await exchange(code)).body.access_token;
      const answer = await fetch(new URL("/comment/item/2800000002/", sandbox.address), {
        method: "POST",
        headers: { authorization: `OAuth2 ${token}`, "content-type": "application/json" },
        body: JSON.stringify({ value: "noted" }),
      });
      return answer.status;
    };
    expect([await write("global:read"), await write("global:read global:write")]).toEqual([403, 200]);
  });
});

it("a sandbox with a file persists changes", async () => {
  const folder = mkdtempSync(join(tmpdir(), "sandbox-crm-"));
  const file = join(folder, "state.json");
  const first = await startSandboxCrm({ file, publicUrl: null });
  first.ask({ method: "POST", path: "/item/app/25110001/", body: { fields: { "last-name": "Kept" } } });
  await first.close();
  const second = await startSandboxCrm({ file, publicUrl: null });
  expect(second.leadCount()).toBe(251);
  await second.close();
  rmSync(folder, { recursive: true });
});
