/** Runs Wapiti against the real app, anonymous and signed in: `npm run scan`. Needs the `wapiti` command. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { askAt, signUp } from "../testing/sign-up.ts";
import { startApp } from "../testing/start-app.ts";

/** Everything except guessing file names and passwords, because unknown addresses return the web app's page. */
const modules = "common,backup,crlf,csrf,htaccess,methods,shellshock,xxe";
/** For finding addresses, and again for each kind of attack. */
const secondsPerScan = 120;

interface Document {
  paths: Record<string, { get?: { parameters: { name: string; in: string }[]; security?: unknown[] } }>;
}
interface Finding {
  method: string;
  path: string;
  parameter: string;
  info: string;
}
interface Report {
  vulnerabilities: Record<string, Finding[]>;
  anomalies: Record<string, Finding[]>;
}

const screens = [
  "/",
  "/login",
  "/register",
  "/faq",
  "/about",
  "/health",
  "/api/docs",
  "/dashboard",
  "/leads",
  "/calls",
];

/**
 * Wapiti follows links in pages, but ours are rendered by scripts, so it gets a list of every readable address with its
 * parameters.
 */
function readableAddresses(document: Document, id: string): string[] {
  const addresses = Object.entries(document.paths).flatMap(([path, { get }]) => {
    if (get === undefined || path.endsWith("/events")) return [];
    const names = get.parameters.filter((parameter) => parameter.in === "query").map(({ name }) => name);
    const query = names.map((name) => `${name}=1`).join("&");
    const address = path.replaceAll(/\{\w+\}/g, id);
    return [address, ...names.map((name) => `${address}?${name}=1`), `${address}?${query || "unknown=1"}`];
  });
  return [...screens, ...addresses];
}

async function scan(address: string, options: { starts: string[]; token?: string }): Promise<Report> {
  const folder = mkdtempSync(join(tmpdir(), "leadline-scan-"));
  const output = join(folder, "report.json");
  try {
    const wapiti = spawn(
      "wapiti",
      [
        [
          "--url",
          `${address}/`,
          "--scope",
          "domain",
          "--module",
          modules,
          "--max-scan-time",
          String(secondsPerScan),
          "--max-attack-time",
          String(secondsPerScan),
        ],
        ["--flush-session", "--no-bugreport", "--format", "json", "--output", output, "--verbose", "0"],
        ["--store-session", join(folder, "session"), "--store-config", join(folder, "config")],
        options.token ? ["--header", `authorization: Bearer ${options.token}`] : [],
        options.starts.flatMap((start) => ["--start", `${address}${start}`]),
      ].flat(),
      { stdio: ["ignore", "ignore", "inherit"] },
    );
    await once(wapiti, "exit");
    return JSON.parse(readFileSync(output, "utf8"));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Findings that every plain-http server has, or that concern headers browsers no longer support. */
const expected = /Strict-Transport-Security is not set|X-XSS-Protection is not set/;

function print(who: string, starts: number, { vulnerabilities, anomalies }: Report): number {
  const found = Object.entries({ ...vulnerabilities, ...anomalies }).flatMap(([kind, list]) =>
    list.filter(({ info }) => !expected.test(info)).map((finding) => ({ kind, ...finding })),
  );
  process.stdout.write(`${who}: ${starts} addresses, ${found.length} findings\n`);
  for (const { kind, method, path, parameter, info } of found)
    process.stdout.write(`  ${kind}: ${method} ${path}${parameter ? ` (${parameter})` : ""} ${info}\n`);
  return found.length;
}

/** How many requests the app answered with 200 at addresses that need a login. */
async function answeredSignedIn(address: string, document: Document): Promise<number> {
  const counts = await (await fetch(`${address}/api/metrics`)).text();
  const closed = new Set(
    Object.entries(document.paths).flatMap(([path, { get }]) =>
      get?.security === undefined ? [] : [path.replaceAll(/\{(\w+)\}/g, ":$1")],
    ),
  );
  const line = /^leadline_http_request_seconds_count\{method="GET",route="([^"]+)",status="200"\} (\d+)$/gm;
  return [...counts.matchAll(line)].reduce((sum, [, route = "", n]) => sum + (closed.has(route) ? Number(n) : 0), 0);
}

const app = await startApp();
try {
  const person = await signUp(app.address, { organisation: "Harbour Tools" });
  const lead = { firstName: "Bob", lastName: "Stone", email: "bob@stone.example", phone: "+12025550100" };
  const { id } = await askAt(app.address, "/v1/leads", { body: lead, token: person.token });
  const document: Document = await askAt(app.address, "/openapi.json");
  const starts = readableAddresses(document, id);
  const asStranger = print("As a stranger", starts.length, await scan(app.address, { starts }));
  const before = await answeredSignedIn(app.address, document);
  const signedIn = print("Signed in", starts.length, await scan(app.address, { starts, token: person.token }));
  const answered = (await answeredSignedIn(app.address, document)) - before;
  process.stdout.write(`${before} requests of the stranger and ${answered} of the person passed the sign-in.\n`);
  process.exitCode = asStranger + signedIn > 0 || before > 0 || answered < starts.length ? 1 : 0;
} finally {
  await app.stop();
}
