import { createServer } from "node:http";
import { afterEach, describe, expect, it } from "vitest";
import { crm } from "./server.ts";

const closers: (() => void)[] = [];
afterEach(() => closers.splice(0).forEach((close) => close()));

const workspace = "acme.my.salesforce.com";
const login = { workspace, callbackUrl: "https://leadline.example/callback", code: "c", codeVerifier: "v" };

async function answering(status: number, body: object) {
  const server = createServer((_, response) => response.writeHead(status).end(JSON.stringify(body)));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const at = server.address();
  const address = new URL(`http://127.0.0.1:${typeof at === "object" ? at?.port : 0}`);
  const opened = crm.open(
    {},
    { sandbox: { domain: workspace, address, browserPath: "", clientId: "client", clientSecret: null } },
  );
  closers.push(opened.close, () => server.close());
  return opened;
}

describe("a token answer", () => {
  it.each([
    "http://acme.my.salesforce.com",
    "https://evil.example",
    "https://127.0.0.1",
    "https://[::1]",
    "https://localhost",
    "https://acme.my.salesforce.com:8443",
    "https://user@acme.my.salesforce.com",
    "https://acme.my.salesforce.com/path",
    "https://evil.example#.salesforce.com",
    "https://evilsalesforce.com",
    "https://acme.my.salesforce.com.",
    "nonsense",
  ])("that names %s as the API's address is refused", async (instance_url) => {
    const opened = await answering(200, { access_token: "a", refresh_token: "r", instance_url });
    await expect(opened.exchangeCode(login)).rejects.toMatchObject({ fault: "refused" });
  });

  it("tells which customer it is of", async () => {
    const id = "https://login.salesforce.com/id/00Dx0000000BV7z/005x00000012Q9P";
    const opened = await answering(200, { access_token: "a", instance_url: "https://acme.my.salesforce.com", id });
    expect(await opened.exchangeCode(login)).toEqual({
      accessToken: "a",
      refreshToken: null,
      expiresAt: null,
      accountId: "00Dx0000000BV7z",
      own: { instanceUrl: "https://acme.my.salesforce.com" },
    });
  });

  it("without a refresh token keeps the one there is", async () => {
    const opened = await answering(200, { access_token: "b", instance_url: "https://acme.my.salesforce.com" });
    const former = {
      accessToken: "a",
      refreshToken: "r",
      expiresAt: null,
      accountId: "x",
      own: { instanceUrl: "https://acme.my.salesforce.com" },
    };
    expect(await opened.refresh(workspace, former)).toMatchObject({
      accessToken: "b",
      refreshToken: "r",
      accountId: "x",
    });
  });
});

describe("an OAuth error", () => {
  it.each([
    ["invalid_grant", "grant-refused"],
    ["access-denied", "grant-refused"],
    ["inactive_user", "grant-refused"],
    ["invalid_client_id", "refused"],
    ["redirect-uri-mismatch", "refused"],
    ["rate-limit-exceeded", "limited"],
  ])("%s, with hyphens or not, means %s", async (error, fault) => {
    const opened = await answering(400, { error, error_description: "words" });
    await expect(opened.exchangeCode(login)).rejects.toMatchObject({ fault });
  });
});

it("without the sandbox its domain is as foreign as any other", () => {
  const opened = crm.open({}, { sandbox: null });
  closers.push(opened.close);
  expect(() => opened.readWorkspace("sandbox.leadline.test")).toThrow(/ends in/);
});

it("without a registration of this installation, real domains say what its operator must set", () => {
  const opened = crm.open({}, { sandbox: null });
  closers.push(opened.close);
  const ask = () => opened.authoriseUrl({ ...login, state: "s", codeChallenge: "c" });
  expect(ask).toThrow(/SALESFORCE_CLIENT_ID/);
  const registered = crm.open({ SALESFORCE_CLIENT_ID: "3MVG9" }, { sandbox: null });
  closers.push(registered.close);
  const url = new URL(registered.authoriseUrl({ ...login, state: "s", codeChallenge: "c" }));
  expect(url.origin + url.pathname).toBe("https://acme.my.salesforce.com/services/oauth2/authorize");
  expect(url.searchParams.get("client_id")).toBe("3MVG9");
});
