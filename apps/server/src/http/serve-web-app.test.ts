import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fastify from "fastify";
import { afterAll, beforeAll, expect, test } from "vitest";
import { serveWebApp } from "./serve-web-app.ts";

const root = mkdtempSync(join(tmpdir(), "leadline-web-"));
const app = fastify();

beforeAll(async () => {
  mkdirSync(join(root, "assets"));
  writeFileSync(join(root, "index.html"), "<title>Leadline</title>");
  writeFileSync(join(root, "assets", "app-4f3a.js"), "export {};");
  writeFileSync(join(root, "assets", "app-4f3a.js.br"), "brotli");
  writeFileSync(join(root, ".env"), "SECRET=1");
  await serveWebApp(app, root);
});
afterAll(async () => {
  await app.close();
  rmSync(root, { recursive: true });
});

test("hashed files are cached forever, the page itself is always revalidated", async () => {
  const script = await app.inject("/assets/app-4f3a.js");
  expect(script.headers["cache-control"]).toBe("public, max-age=31536000, immutable");
  for (const url of ["/", "/index.html", "/settings/organisations"]) {
    const page = await app.inject(url);
    expect(page.body).toBe("<title>Leadline</title>");
    expect(page.headers["cache-control"]).toBe("no-cache");
  }
});

test("a browser that accepts brotli gets the precompressed file", async () => {
  const script = await app.inject({ url: "/assets/app-4f3a.js", headers: { "accept-encoding": "gzip, br" } });
  expect(script.headers["content-encoding"]).toBe("br");
  expect(script.headers["content-type"]).toMatch(/javascript/);
});

test("only page addresses fall back to the app: no files, API addresses or other methods", async () => {
  const others = [
    { url: "/assets/gone-1234.js" },
    { url: "/api/v1/nothing" },
    { url: "/calls", method: "POST" as const },
    { url: "/.env" },
  ];
  for (const request of others) {
    const answer = await app.inject(request);
    expect({ request, status: answer.statusCode }).toEqual({ request, status: 404 });
    expect(answer.json().type).toBe("/api/docs#not-found");
  }
});

test("an address that no screen can have is a 404 with the app's page", async () => {
  for (const url of ["/login~", "/%2e%2e%2fetc", "/leads/$(id)"]) {
    const page = await app.inject(url);
    expect({ url, status: page.statusCode, body: page.body }).toEqual({
      url,
      status: 404,
      body: "<title>Leadline</title>",
    });
  }
  expect((await app.inject("/no-such-page")).statusCode).toBe(200);
});
