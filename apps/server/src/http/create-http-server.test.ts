import { endpoint, type Endpoint } from "@leadline/contract/endpoint";
import { endpoints } from "@leadline/contract/endpoints";
import { problemTypes } from "@leadline/contract/problem";
import type { InjectOptions } from "fastify";
import pino from "pino";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { DatabaseUnreachable } from "../db/database-unreachable.ts";
import { NoTurnInTime } from "../db/fair-turns.ts";
import { createLog } from "../log.ts";
import { createHttpServer, type HttpServerOptions } from "./create-http-server.ts";
import { Problem } from "./problem.ts";
import { route } from "./route.ts";

const common = { access: "public", audit: null, summary: "For a test", problems: [] } as const;
const echo = endpoint({
  ...common,
  method: "POST",
  path: "/v1/echo/{id}",
  params: z.object({ id: z.uuid() }),
  body: z.object({ name: z.string().min(2, "Name must be at least 2 characters."), size: z.int().optional() }),
  success: [201, z.object({ name: z.string() })],
});
const fail = endpoint({ ...common, method: "GET", path: "/v1/fail", success: [204, null] });
const id = "7d1b9e2e-5a0a-4c3e-9d57-0a4e7f6f3b11";

async function serve(options: Partial<HttpServerOptions> & { failure?: unknown } = {}) {
  const routes = [
    route(echo, async ({ body }) => ({ name: body.name })),
    route(fail, () => Promise.reject(options.failure ?? new Error("select secret from passwords"))),
  ];
  const log = createLog("silent");
  return createHttpServer({ routes, endpoints: { echo, fail }, log, authenticate: async () => null, ...options });
}

describe("the contract", () => {
  test("refuses to start if an entry has no handler or two, or a handler has no entry", async () => {
    const log = createLog("silent");
    const authenticate = async () => null;
    const handler = route(fail, async () => undefined);
    const boot = (entries: Record<string, Endpoint>, routes: (typeof handler)[]) =>
      createHttpServer({ endpoints: entries, routes, log, authenticate });
    await expect(boot({ echo, fail }, [handler])).rejects.toThrow("echo (POST /v1/echo/{id}) has no handler");
    await expect(boot({ fail }, [handler, handler])).rejects.toThrow("fail (GET /v1/fail) has 2 handlers");
    await expect(boot({}, [handler])).rejects.toThrow("not in the contract");
  });

  test("is published as OpenAPI 3.1 with every entry, and as a page with an anchor for every problem", async () => {
    const routes = Object.values<Endpoint>(endpoints).map((entry) => ({ endpoint: entry, handle: async () => null }));
    const app = await serve({ routes, endpoints });
    const document = (await app.inject("/api/openapi.json")).json();
    expect(document.openapi).toBe("3.1.0");
    const operations = Object.values<Record<string, { operationId: string }>>(document.paths).flatMap((path) =>
      Object.values(path).map((operation) => operation.operationId),
    );
    expect(operations.toSorted()).toEqual(Object.keys(endpoints).toSorted());
    const page = await app.inject("/api/docs");
    for (const code of Object.keys(problemTypes)) expect(page.body).toContain(`<dt id="${code}">`);
    for (const name of Object.keys(endpoints)) expect(page.body).toContain(`<section id="${name}">`);
    expect(page.body).not.toContain("<script");
  });
});

describe("problems", () => {
  const body = { name: "Robin" };
  const shapes: [string, number, InjectOptions][] = [
    ["not-found", 404, { url: "/api/v1/nothing" }],
    ["not-found", 404, { url: "/api" }],
    [
      "malformed-request",
      400,
      { method: "POST", url: `/api/v1/echo/${id}`, headers: { "content-type": "application/json" }, payload: "{" },
    ],
    [
      "malformed-request",
      400,
      {
        method: "POST",
        url: `/api/v1/echo/${id}`,
        headers: { "content-type": "application/json" },
        payload: '{"__proto__":{"a":1}}',
      },
    ],
    ["malformed-request", 400, { url: "/api/v1/%zz" }],
    [
      "media-type-not-supported",
      415,
      { method: "POST", url: `/api/v1/echo/${id}`, headers: { "content-type": "text/plain" }, payload: "name" },
    ],
    [
      "media-type-not-supported",
      415,
      {
        method: "POST",
        url: `/api/v1/echo/${id}`,
        headers: { "content-type": "application/x-www-form-urlencoded" },
        payload: "name=Robin",
      },
    ],
    ["body-too-large", 413, { method: "POST", url: `/api/v1/echo/${id}`, payload: { name: "x".repeat(300_000) } }],
    [
      "invalid-input",
      422,
      {
        method: "POST",
        url: `/api/v1/echo/${id}`,
        headers: { "content-type": "application/json" },
        payload: "[".repeat(120_000) + "]".repeat(120_000),
      },
    ],
    ["invalid-input", 422, { method: "POST", url: `/api/v1/echo/${id}` }],
    ["invalid-input", 422, { method: "POST", url: "/api/v1/echo/7", payload: body }],
    ["internal-error", 500, { url: "/api/v1/fail" }],
  ];
  test.each(shapes)("%s is answered with problem+json and status %i", async (code, status, request) => {
    const answer = await (await serve()).inject(request);
    expect(answer.statusCode).toBe(status);
    expect(answer.headers["content-type"]).toMatch(/^application\/problem\+json/);
    expect(answer.json()).toMatchObject({ type: `/api/docs#${code}`, status });
    expect(Object.keys(answer.json())).toEqual(expect.arrayContaining(["detail", "title"]));
    expect(answer.body).not.toMatch(/select|at .*\.ts|node_modules|went wrong/);
  });

  test("an internal error contains the reference from its log line", async () => {
    const headers = { "x-request-id": "4f2ae61b-9d1c-4c6e-8a40-7f1f3b1f0c55" };
    const answer = await (await serve()).inject({ url: "/api/v1/fail", headers });
    expect(answer.json().detail).toBe(
      "That failed because of an error on our side. It has been logged as 4f2ae61b. Try again.",
    );
  });

  test("name each invalid field, and the reason", async () => {
    const app = await serve();
    const answer = await app.inject({ method: "POST", url: `/api/v1/echo/${id}`, payload: { name: "R", size: "big" } });
    expect(answer.json().errors).toEqual([
      { field: "name", message: "Name must be at least 2 characters." },
      { field: "size", message: expect.any(String) },
    ]);
  });

  test("a database turn that takes too long is 503 with Retry-After, and says whose requests are too many", async () => {
    const failure = new DatabaseUnreachable({ cause: new NoTurnInTime() });
    const busy = await (await serve({ failure })).inject("/api/v1/fail");
    expect([busy.statusCode, busy.headers["retry-after"]]).toEqual([503, "1"]);
    expect(busy.json().detail).toBe("Your organisation has too many requests in progress. Try again in a moment.");
  });

  test("an unreachable database is 503 with Retry-After, and a verb's own problem is passed on", async () => {
    const away = await (
      await serve({ failure: new DatabaseUnreachable({ cause: new Error("gone") }) })
    ).inject("/api/v1/fail");
    expect([away.statusCode, away.headers["retry-after"]]).toEqual([503, "1"]);
    const own = await (
      await serve({ failure: new Problem("call-in-progress", "Hang up first.") })
    ).inject("/api/v1/fail");
    expect(own.json()).toEqual({
      type: "/api/docs#call-in-progress",
      title: "You’re already on a call",
      status: 409,
      detail: "Hang up first.",
    });
  });
});

describe("headers", () => {
  test("forbid inline scripts, framing and sniffing, on pages and errors alike", async () => {
    const app = await serve({ publicUrl: new URL("https://leadline.example.com") });
    for (const url of ["/api/docs", "/api/v1/nothing", "/api/v1/fail"]) {
      const { headers } = await app.inject(url);
      const policy = String(headers["content-security-policy"]);
      expect(policy).toMatch(/script-src 'self';.*base-uri 'none'; object-src 'none'; frame-ancestors 'none'/);
      expect(headers["x-content-type-options"]).toBe("nosniff");
      expect(headers["strict-transport-security"]).toContain("max-age=");
      expect(headers["permissions-policy"]).toContain("microphone=(self)");
    }
    expect((await (await serve()).inject("/api/docs")).headers["strict-transport-security"]).toBeUndefined();
  });

  test("a valid request id is kept, any other is replaced", async () => {
    const app = await serve();
    const idFor = async (given: string) =>
      (await app.inject({ url: "/api/docs", headers: { "x-request-id": given } })).headers["x-request-id"];
    expect(await idFor("proxy-1234567")).toBe("proxy-1234567");
    expect(await idFor('{"level":"fatal"}')).toMatch(/^[0-9a-f-]{36}$/);
  });
});

describe("addresses", () => {
  const lines = async (trustedProxies: string[], forwardedFor = "203.0.113.9") => {
    const written: string[] = [];
    const log = pino({ level: "info" }, { write: (line: string) => void written.push(line) });
    const app = await serve({ log, trustedProxies });
    await app.inject({
      url: "/api/v1/nothing",
      remoteAddress: "10.1.1.1",
      headers: { "x-forwarded-for": forwardedFor },
    });
    return written.map((line) => JSON.parse(line).ip);
  };
  test("a forwarded address only counts if it comes from a trusted proxy", async () => {
    expect(await lines([])).toEqual(["10.1.1.1"]);
    expect(await lines(["10.0.0.0/8"])).toEqual(["203.0.113.9"]);
    expect(await lines(["192.168.0.0/16"])).toEqual(["10.1.1.1"]);
  });

  test.each([
    ["nobody", "10.1.1.1"],
    ["203.0.113.9:4711", "10.1.1.1"],
    ["2001:db8::7%x", "10.1.1.1"],
    ["203.0.113.9, nobody", "10.1.1.1"],
    ["nobody, 10.2.2.2", "10.2.2.2"],
    ["203.0.113.9, 10.9, 10.2.2.2", "10.2.2.2"],
    ["nobody, 203.0.113.9, 10.2.2.2", "203.0.113.9"],
    ["2001:db8::7", "2001:db8::7"],
  ])("of “%s” from a trusted proxy, the farthest address before any invalid entry counts", async (given, address) => {
    expect(await lines(["10.0.0.0/8"], given)).toEqual([address]);
  });
});

describe("metrics", () => {
  test("are available to this machine and with the token, and not to the Internet through a local proxy", async () => {
    const app = await serve({ metricsToken: "a long metrics token" });
    const ask = async (remoteAddress: string, headers: Record<string, string> = {}) =>
      (await app.inject({ url: "/api/metrics", remoteAddress, headers })).statusCode;
    expect(await ask("127.0.0.1")).toBe(200);
    expect(await ask("::ffff:127.0.0.1")).toBe(200);
    expect(await ask("127.0.0.1", { "x-forwarded-for": "203.0.113.9" })).toBe(404);
    expect(await ask("203.0.113.9")).toBe(404);
    expect(await ask("203.0.113.9", { authorization: "Bearer wrong" })).toBe(404);
    expect(await ask("203.0.113.9", { authorization: "Bearer a long metrics token" })).toBe(200);
  });
});

describe("logs", () => {
  test("contain no token, password or session description", async () => {
    const written: string[] = [];
    const log = createLog("trace", { write: (line: string) => void written.push(line) });
    log.info({
      headers: { authorization: "Bearer s3cret" },
      body: { password: "s3cret", offer: "s3cret" },
      refreshToken: "s3cret",
    });
    const app = await serve({ log });
    await app.inject({
      url: "/api/v1/fail?token=s3cret",
      headers: { authorization: "Bearer s3cret", cookie: "a=s3cret" },
    });
    expect(written.length).toBeGreaterThan(2);
    expect(written.join("")).not.toContain("s3cret");
  });

  test("contain no error when someone sends a file that is too large", async () => {
    const written: string[] = [];
    const log = createLog("info", { write: (line: string) => void written.push(line) });
    const upload = endpoint({
      ...common,
      method: "POST",
      path: "/v1/upload",
      files: { most: 1, largestBytes: 1024 },
      success: [204, null],
    });
    const app = await serve({ log, endpoints: { upload }, routes: [route(upload, async () => undefined)] });
    const form = new FormData();
    form.append("file[]", new File(["x".repeat(5_000)], "large.txt"));
    const request = new Request("http://localhost", { method: "POST", body: form });
    const headers = { "content-type": request.headers.get("content-type") ?? "" };
    const payload = Buffer.from(await request.arrayBuffer());
    const refused = await app.inject({ method: "POST", url: "/api/v1/upload", headers, payload });
    expect(refused.statusCode).toBe(413);
    await app.close();
    expect(written.map((line) => JSON.parse(line)).map(({ level, msg }) => [level, msg])).toEqual([
      ["info", "request"],
    ]);
  });
});
