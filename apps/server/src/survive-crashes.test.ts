import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { openEventStream } from "./testing/open-event-stream.ts";
import { type LeadlineProcess, StartFailed, startProcess } from "./testing/start-process.ts";

// A folder that only its owner can enter: as root, the database runs as a user who can't.
const dataDir = mkdtempSync(join(tmpdir(), "leadline-crash-"));
const running = new Set<LeadlineProcess>();
afterAll(async () => {
  for (const leadline of running) await leadline.stop("SIGTERM");
  rmSync(dataDir, { recursive: true, force: true });
});

/** Loaded with the server: a task in it that fails, with nothing waiting for it. */
const failsOnSignal = `process.on("SIGUSR2", () => void Promise.reject(new Error("forgotten by all")))`;
const start = async (by: "node" | "npm start" = "node"): Promise<LeadlineProcess> => {
  const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(failsOnSignal)}`;
  const leadline = await startProcess({ DATA_DIR: dataDir, NODE_OPTIONS }, by);
  running.add(leadline);
  leadline.child.once("exit", () => running.delete(leadline));
  return leadline;
};
const post = (origin: string, path: string, body: object, token = "") =>
  fetch(`${origin}/api${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
    body: JSON.stringify(body),
  });
const person = {
  firstName: "Robin",
  lastName: "Tester",
  email: "robin@example.com",
  password: "correct horse battery",
};
const login = async (origin: string): Promise<string> => (await (await post(origin, "/v1/login", person)).json()).token;
const organisationNames = async (origin: string, token: string): Promise<string[]> => {
  const answer = await fetch(`${origin}/api/v1/organisations`, { headers: { authorization: `Bearer ${token}` } });
  const list: { name: string }[] = await answer.json();
  return list.map(({ name }) => name);
};
const lead = { firstName: "Bob", lastName: "Stone", email: "bob@stone.example", phone: "+12025550100" };
/** Adds leads one at a time until the server is gone, and records the ids of acknowledged ones. */
const writeUntilItBreaks = async (origin: string, token: string, acknowledged: string[]): Promise<void> => {
  for (;;) {
    const answer = await post(origin, "/v1/leads", lead, token).catch(() => null);
    if (answer?.status !== 201) break;
    const added: { id: string } | null = await answer.json().catch(() => null);
    if (added === null) break;
    acknowledged.push(added.id);
  }
};
const lostOf = async (ids: readonly string[], origin: string, token: string): Promise<string[]> => {
  const lost: string[] = [];
  for (const id of ids) {
    const answer = await fetch(`${origin}/api/v1/leads/${id}`, { headers: { authorization: `Bearer ${token}` } });
    if (answer.status !== 200) lost.push(id);
    await answer.arrayBuffer();
  }
  return lost;
};
/** Waits until there is work in progress and something was acknowledged, however slow the machine. */
const grows = async (list: readonly string[]): Promise<void> => {
  const enough = list.length + 10;
  while (list.length < enough) await sleep(5);
};
const postmasterPid = () => Number(readFileSync(join(dataDir, "postgres", "postmaster.pid"), "utf8").split("\n", 1)[0]);
const healthBecomes = async (origin: string, status: number): Promise<void> => {
  for (;;) {
    const answer = await fetch(`${origin}/api/health`);
    await answer.arrayBuffer();
    if (answer.status === status) return;
    await sleep(10);
  }
};

/** Registers the person with an organisation, unless an earlier server has. */
async function registerOnce(origin: string): Promise<void> {
  if ((await post(origin, "/v1/register", person)).status !== 201) return;
  expect((await post(origin, "/v1/organisations", { name: "Before" }, await login(origin))).status).toBe(201);
}

// One after another on one server, because each start takes seconds; one that a test has ended is started again.
describe("a server as its own process", () => {
  let leadline: LeadlineProcess;
  beforeEach(async () => {
    if (running.has(leadline)) return;
    leadline = await start();
    await registerOnce(leadline.origin);
  });
  afterAll(() => leadline.stop("SIGTERM"));

  test("keeps every acknowledged write through kill -9 of itself, of its database, and of both", async () => {
    const acknowledged: string[] = [];
    const signedIn = await login(leadline.origin);

    const first = writeUntilItBreaks(leadline.origin, signedIn, acknowledged);
    await grows(acknowledged);
    await leadline.stop("SIGKILL");
    await first;
    const left = postmasterPid();
    leadline = await start();
    expect(postmasterPid()).toBe(left);

    const token = await login(leadline.origin);
    const second = writeUntilItBreaks(leadline.origin, token, acknowledged);
    await grows(acknowledged);
    process.kill(left, "SIGKILL");
    await second;
    await healthBecomes(leadline.origin, 200);
    expect(await lostOf(acknowledged, leadline.origin, token)).toEqual([]);
    expect((await post(leadline.origin, "/v1/leads", lead, token)).status).toBe(201);

    const third = writeUntilItBreaks(leadline.origin, token, acknowledged);
    await grows(acknowledged);
    process.kill(postmasterPid(), "SIGKILL");
    await leadline.stop("SIGKILL");
    await third;
    leadline = await start();
    expect(await lostOf(acknowledged, leadline.origin, await login(leadline.origin))).toEqual([]);
  });

  test("goes on and logs it when a task fails with nothing waiting for it", async () => {
    const { child, log, origin } = leadline;
    child.kill("SIGUSR2");
    while (!log().includes("forgotten by all")) {
      expect(child.exitCode).toBeNull();
      await sleep(20);
    }
    await healthBecomes(origin, 200);
  });

  test("answers 503 while its database is down, and recovers by itself", async () => {
    const token = await login(leadline.origin);
    process.kill(postmasterPid(), "SIGKILL");
    await healthBecomes(leadline.origin, 503);
    const away = await fetch(`${leadline.origin}/api/v1/organisations`, {
      headers: { authorization: `Bearer ${token}` },
    });
    expect([200, 503]).toContain(away.status);
    await healthBecomes(leadline.origin, 200);
    expect(await organisationNames(leadline.origin, token)).not.toEqual([]);
  });

  test("refuses a folder that another server uses, and leaves that one running", async () => {
    await expect(start()).rejects.toThrow(`Another Leadline already runs on ${dataDir}`);
    expect((await fetch(`${leadline.origin}/api/health`)).status).toBe(200);
  });

  test.each(["node", "npm start"] as const)(
    "ends streams and its database on SIGTERM, sent once or, as by npm and the terminal, twice at once, and %s exits 0",
    async (by) => {
      if (by === "npm start") {
        await leadline.stop("SIGTERM");
        leadline = await start(by);
      }
      const stream = await openEventStream(leadline.origin, { token: await login(leadline.origin) });
      const pid = postmasterPid();
      const exit = leadline.stop("SIGTERM");
      if (by === "node") await sleep(20).then(() => leadline.child.kill("SIGTERM"));
      expect(await exit).toBe(0);
      await stream.ended;
      expect(() => process.kill(pid, 0)).toThrow("ESRCH");
    },
  );

  test("keeps its secrets readable only by its user", () => {
    for (const name of ["secret-key", "database-password"]) {
      expect((statSync(join(dataDir, name)).mode & 0o777).toString(8)).toBe("600");
    }
  });
});

describe("a start that must fail", () => {
  test("says so in a sentence that names the setting, with exit code 1 and no stack trace", async () => {
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, "127.0.0.1", resolve));
    const address = taken.address();
    const port = typeof address === "object" ? String(address?.port) : "";
    const cases: [Record<string, string>, RegExp][] = [
      [{ PORT: "http" }, /^PORT must be a whole number from 0 to 65535/],
      [{ PORT: "70000" }, /^PORT must be a whole number/],
      [{ DATABASE_URL: "mysql://localhost" }, /^DATABASE_URL must start with postgres:/],
      [{ PUBLIC_URL: "leadline.example.com" }, /^PUBLIC_URL must be an address that starts with http/],
      [{ SECRET_KEY: "short" }, /^SECRET_KEY must have at least 32 characters/],
      [{ METRICS_TOKEN: "short" }, /^METRICS_TOKEN must have at least 16/],
      [{ RTPENGINES: "10.0.0.1:2223" }, /^RTPENGINES must name the control ports of rtpengines/],
      [{ RTPENGINES: "udp:127.0.0.1:99999" }, /^RTPENGINES must name control ports from 1 to 65535/],
      [{ TURN_URLS: "turn.example.com" }, /^TURN_URLS must be addresses of TURN servers/],
      [{ TURN_SECRET: "long enough for a secret" }, /^TURN_URLS and TURN_SECRET must be set together/],
      [{ CRM_SYNC_MINUTES: "often" }, /^CRM_SYNC_MINUTES must be 0 \(off\) or a whole number of minutes/],
      [{ SANDBOX_CRM: "maybe" }, /^SANDBOX_CRM must be on or off/],
      [{ LOG_LEVEL: "loud" }, /^LOG_LEVEL must be one of/],
      [{ TRUSTED_PROXIES: "proxy.example.com" }, /^TRUSTED_PROXIES must be IP addresses/],
      [{ DATABASE_URL: "postgres://nobody@127.0.0.1:1/none" }, /^The database cannot be used: .*ECONNREFUSED/],
      [{ PORT: port, DATA_DIR: dataDir }, new RegExp(`PORT ${port} is taken`)],
    ];
    for (const [environment, sentence] of cases) {
      const failure = await startProcess({ DATA_DIR: dataDir, ...environment }).catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(StartFailed);
      expect(failure).toMatchObject({ exitCode: 1, errors: expect.stringMatching(sentence) });
      expect(String(failure)).not.toMatch(/\n\s+at /);
    }
    taken.close();
  });
});
