import { createServer, type RequestListener } from "node:http";
import { expect, onTestFinished, test } from "vitest";
import { askVendor } from "./ask-vendor.ts";
import { openOutbound } from "./open-outbound.ts";

async function ask(listener: RequestListener) {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const listening = server.address();
  const port = typeof listening === "object" ? listening?.port : 0;
  const address = new URL(`http://127.0.0.1:${port}`);
  const outbound = openOutbound({ onThisMachine: { host: "api.vendor.test", address }, maxBytes: 10_000 });
  onTestFinished(() => {
    outbound.close();
    server.closeAllConnections();
    server.close();
  });
  return askVendor(outbound, "Acme", { method: "GET", url: new URL("https://api.vendor.test/v1/trunks") });
}

const page = "<!doctype html><title>Sign in to the guest network</title>";

test.each<[string, RequestListener]>([
  ["a web page", (_, response) => response.writeHead(200, { "content-type": "text/html" }).end(page)],
  [
    "a web page that calls itself JSON",
    (_, response) => response.setHeader("content-type", "application/json").end(page),
  ],
  ["a web page with an error status", (_, response) => response.writeHead(403).end(page)],
  ["a redirect", (_, response) => response.writeHead(302, { location: "https://login.test/" }).end()],
  ["a redirect with JSON", (_, response) => response.writeHead(307, { location: "https://login.test/" }).end("{}")],
  ["nothing", (_, response) => response.writeHead(200).end()],
  ["JSON that is cut off", (_, response) => response.end('{"trunks":[{"sid":"TK1"')],
  ["JSON without an object", (_, response) => response.end('"OK"')],
  ["far too much", (_, response) => response.end(JSON.stringify({ trunks: "x".repeat(20_000) }))],
])("%s isn't the vendor's response", async (_what, listener) => {
  await expect(ask(listener)).rejects.toMatchObject({
    name: "ProvisionerError",
    fault: "unreachable",
    message: expect.stringMatching(/^Leadline can’t read the response from Acme’s address\. .*\.$/),
  });
});

test("a response that breaks off means that the vendor wasn't reached", async () => {
  const breaksOff: RequestListener = (_, response) => {
    response.writeHead(200, { "content-length": "1000" }).write('{"trunks":[');
    setImmediate(() => response.destroy());
  };
  await expect(ask(breaksOff)).rejects.toMatchObject({
    fault: "unreachable",
    message: expect.stringMatching(/^Acme can’t be reached/),
  });
});

test.each<[number, string, object | null]>([
  [200, '{"data":[]}', { data: [] }],
  [200, "[]", []],
  [204, "", null],
  [404, '{"code":20404}', { code: 20404 }],
  [401, "", null],
  [503, page, null],
  [429, "Too many requests", null],
])("status %i with %j is the vendor's own", async (status, text, json) => {
  const answer = await ask((_, response) => response.writeHead(status).end(text));
  expect(answer).toMatchObject({ status, json });
});
