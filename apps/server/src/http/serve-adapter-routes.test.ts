import type { AdapterRequest, AdapterRoute } from "@leadline/adapter-kit/adapter-route";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { countAdapterPage } from "../features/attempts/count-adapter-page.ts";
import { createLog } from "../log.ts";
import { startSandboxCrms } from "../start/start-sandbox-crms.ts";
import { randomAddress } from "../testing/test-app.ts";
import { testDatabase } from "../testing/test-database.ts";
import { createHttpServer } from "./create-http-server.ts";
import { serveAdapterRoutes } from "./serve-adapter-routes.ts";

const database = testDatabase();
const received: AdapterRequest[] = [];
const answer = (request: AdapterRequest) => {
  received.push(request);
  if (request.url.endsWith("broken")) throw new Error("no such event");
  return { status: 202, headers: { "content-type": "text/plain" }, body: "taken" };
};
const routes: AdapterRoute[] = [
  { methods: ["POST"], path: "/webhooks", caller: "service", answer },
  { methods: ["GET", "POST"], path: "/pages/*", caller: "browser", answer },
];
const sandboxes = [...(await startSandboxCrms({ dataDir: null, publicUrl: null })).values()];
const app = await createHttpServer({
  routes: [],
  endpoints: {},
  authenticate: () => Promise.reject(new Error("nobody signs in here")),
  log: createLog("silent"),
  trustedProxies: ["127.0.0.1"],
});
serveAdapterRoutes(
  app,
  [
    { prefix: "/api/adapters/vendor", routes },
    ...sandboxes.map((sandbox) => ({ prefix: sandbox.browserPath, routes: sandbox.routes })),
  ],
  { publicUrl: null, countPage: (ip) => countAdapterPage(database, ip) },
);
afterAll(async () => {
  await app.close();
  await Promise.all(sandboxes.map((sandbox) => sandbox.close()));
});
beforeEach(() => void received.splice(0));

describe("a vendor's notification", () => {
  const url = "/api/adapters/vendor/webhooks?attempt=2";

  test.each(["application/json", "application/x-www-form-urlencoded", "application/octet-stream"])(
    "of type %s reaches the adapter with the bytes and the address that were signed",
    async (type) => {
      const body = Buffer.from([0x7b, 0x20, 0x22, 0xff, 0x00, 0x3d, 0x26]);
      const headers = { "content-type": type, "x-signature": "v1=ab", "x-forwarded-host": "crm.example.com" };
      const answered = await app.inject({ method: "POST", url, headers, payload: body });
      expect([answered.statusCode, answered.body]).toEqual([202, "taken"]);
      expect(received).toMatchObject([{ method: "POST", url: "/webhooks?attempt=2" }]);
      expect(received[0]?.body.equals(body)).toBe(true);
      expect(received[0]?.address).toBe(`http://crm.example.com${url}`);
      expect(received[0]?.headers).toMatchObject({ "x-signature": "v1=ab", host: "crm.example.com" });
    },
  );

  test("may be larger than what our own API accepts, up to 1 MiB", async () => {
    const send = (length: number) => app.inject({ method: "POST", url, payload: Buffer.alloc(length) });
    expect((await send(1_048_576)).statusCode).toBe(202);
    expect((await send(1_048_577)).statusCode).toBe(413);
  });

  test("is answered with 500 if the adapter fails, so that the vendor sends it again", async () => {
    const answered = await app.inject({ method: "POST", url: "/api/adapters/vendor/webhooks?broken" });
    expect(answered.statusCode).toBe(500);
    expect(answered.body).not.toContain("no such event");
  });

  test("isn't limited by address", async () => {
    const remoteAddress = randomAddress();
    const send = () => app.inject({ method: "POST", url, remoteAddress });
    const answered = await Promise.all(Array.from({ length: 201 }, send));
    expect(answered.every(({ statusCode }) => statusCode === 202)).toBe(true);
  });
});

test("an address outside the adapter's routes, or with another method, doesn't reach it", async () => {
  const asks = [
    { method: "GET", url: "/api/adapters/vendor/webhooks" },
    { method: "POST", url: "/api/adapters/vendor/pages" },
    { method: "POST", url: "/api/adapters/another/webhooks" },
    { method: "POST", url: "/webhooks" },
  ] as const;
  for (const ask of asks) expect((await app.inject(ask)).statusCode).toBe(404);
  expect(received).toEqual([]);
});

test("a page of an adapter is sent with the app's security headers", async () => {
  const answered = await app.inject({
    method: "HEAD",
    url: "/api/adapters/vendor/pages/1",
    remoteAddress: randomAddress(),
  });
  expect([answered.statusCode, answered.body]).toEqual([202, ""]);
  expect(answered.headers["content-security-policy"]).toBeDefined();
  expect(received).toMatchObject([{ method: "GET", url: "/pages/1" }]);
});

const consentPages = sandboxes.map(({ browserPath, routes: [consent] }) => `${browserPath}${consent?.path}`);

test.each(consentPages)("an address that asks for %s again and again is refused, and no other", async (url) => {
  const [busy, other] = [randomAddress(), randomAddress()];
  const ask = (remoteAddress: string) => app.inject({ url, remoteAddress });
  for (let asked = 0; asked < 200; asked += 50) await Promise.all(Array.from({ length: 50 }, () => ask(busy)));
  const refused = await ask(busy);
  expect(refused.statusCode).toBe(429);
  expect(refused.json().detail).toMatch(/^Too many attempts\. Try again in 1\d minutes\.$/);
  // It knows no app by that name, and says so on its page.
  expect((await ask(other)).statusCode).toBe(400);
});
