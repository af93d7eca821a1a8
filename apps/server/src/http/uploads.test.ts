import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, utimesSync } from "node:fs";
import { request } from "node:http";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { spawnSync } from "node:child_process";
import { endpoint } from "@leadline/contract/endpoint";
import { expect, onTestFinished, test } from "vitest";
import { createLog } from "../log.ts";
import { createHttpServer } from "./create-http-server.ts";
import { openIncomingFolder } from "./incoming-folder.ts";
import { type ReceivedFile, route } from "./route.ts";

const keep = endpoint({
  method: "POST",
  path: "/v1/keep",
  summary: "For a test",
  access: "signed-in",
  audit: null,
  files: { most: 2, largestBytes: 100_000 },
  success: [204, null],
  problems: [],
});

function newDataDir(): string {
  const dataDir = mkdtempSync(join(tmpdir(), "leadline-uploads-"));
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
  return dataDir;
}

/** Keeps every upload waiting until `finish` is called. The access token is the person's id. */
async function serve({ waits = true } = {}) {
  const uploadFolder = openIncomingFolder(newDataDir());
  const received: ReceivedFile[] = [];
  const waiting: { by: string; go: () => void }[] = [];
  const app = await createHttpServer({
    routes: [
      route(keep, async ({ caller: { userId: by }, files }) => {
        if (waiting.length === 16 || waiting.filter((other) => other.by === by).length === 3)
          throw new Error("received too many at once");
        received.push(...files);
        if (waits) await new Promise<void>((go) => void waiting.push({ by, go }));
        return undefined;
      }),
    ],
    endpoints: { keep },
    log: createLog("silent"),
    uploadFolder,
    trustedProxies: ["127.0.0.1"],
    authenticate: async (userId) => ({ userId, sessionId: userId, organisation: null }),
  });
  onTestFinished(() => app.close());
  const upload = async (person: string, headers: Record<string, string> = {}) => {
    const form = new FormData();
    form.append("file[]", new File(["a,b"], "a.csv"));
    const sent = new Response(form);
    const answer = await app.inject({
      method: "POST",
      url: "/api/v1/keep",
      payload: Buffer.from(await sent.arrayBuffer()),
      headers: {
        authorization: `Bearer ${person}`,
        "content-type": sent.headers.get("content-type") ?? "",
        ...headers,
      },
    });
    return {
      status: answer.statusCode,
      retryAfter: answer.headers["retry-after"],
      detail: answer.body && answer.json().detail,
    };
  };
  const arrive = async (count: number) => {
    await expect.poll(() => waiting.length).toBe(count);
  };
  const finish = () => waiting.splice(0).forEach(({ go }) => go());
  return { app, upload, arrive, finish, received, uploadFolder };
}

/** Sends the beginning of a file, and nothing more. */
function uploadSlowly(origin: string, person: string, from: string) {
  const headers = {
    authorization: `Bearer ${person}`,
    "content-type": "multipart/form-data; boundary=x",
    "x-forwarded-for": from,
  };
  const sending = request(`${origin}/api/v1/keep`, { method: "POST", headers });
  const closed = new Promise<void>((resolve) => void sending.on("error", () => resolve()));
  sending.write('--x\r\nContent-Disposition: form-data; name="file[]"; filename="a.csv"\r\n\r\na,b');
  onTestFinished(() => void sending.destroy());
  return { sending, closed };
}

test("a person's fourth simultaneous upload is refused until one finishes, and nobody else's is", async () => {
  const { upload, arrive, finish } = await serve();
  const three = [upload("ann"), upload("ann"), upload("ann")];
  await arrive(3);
  expect(await upload("ann")).toEqual({
    status: 429,
    retryAfter: "5",
    detail: "You have 3 uploads in progress. Wait until one of them finishes.",
  });
  const other = upload("ben");
  await arrive(4);
  finish();
  expect((await Promise.all([...three, other])).map(({ status }) => status)).toEqual([204, 204, 204, 204]);
  const again = upload("ann");
  await arrive(1);
  finish();
  expect((await again).status).toBe(204);
});

test("the seventeenth simultaneous upload is refused, whoever sends it", async () => {
  const { upload, arrive, finish } = await serve();
  const sixteen = Array.from({ length: 16 }, (_, person) => upload(`person${person}`));
  await arrive(16);
  expect(await upload("ann")).toMatchObject({ status: 429, retryAfter: "5" });
  finish();
  await Promise.all(sixteen);
});

test("slow uploads from one network don't keep out others: its newest is broken off", async () => {
  const { app, upload, uploadFolder } = await serve({ waits: false });
  const origin = await app.listen({ port: 0, host: "127.0.0.1" });
  const begin = async (n: number) => {
    const slow = uploadSlowly(origin, `person${n % 6}`, `2001:db8:7:${n}::1`);
    await expect.poll(() => readdirSync(uploadFolder)).toHaveLength(n + 1);
    return slow;
  };
  const slow: Awaited<ReturnType<typeof begin>>[] = [];
  for (let n = 0; n < 16; n += 1) slow.push(await begin(n));
  expect(await upload("ann", { "x-forwarded-for": "2001:db8:7:99::1" })).toMatchObject({ status: 429 });
  expect(await upload("ann", { "x-forwarded-for": "2001:db8:8::1" })).toMatchObject({ status: 204 });
  await slow.at(-1)?.closed;
  await expect.poll(() => readdirSync(uploadFolder)).toHaveLength(15);
  for (const { sending } of slow) sending.destroy();
  await expect.poll(() => readdirSync(uploadFolder)).toEqual([]);
});

test("an upload that announces more than the endpoint takes is refused before it is read", async () => {
  const { upload, received } = await serve({ waits: false });
  const refused = await upload("ann", { "content-length": "300000" });
  expect(refused.status).toBe(413);
  expect(received).toEqual([]);
});

test("uploads are received in this process's own folder, which only its user can read", async () => {
  const { upload, arrive, finish, received, uploadFolder } = await serve();
  // As another machine does with a folder that hasn't changed for a day.
  rmSync(uploadFolder, { recursive: true });
  const one = upload("ann");
  await arrive(1);
  expect(received[0]?.path.startsWith(uploadFolder)).toBe(true);
  expect(statSync(uploadFolder).mode & 0o777).toBe(0o700);
  finish();
  await one;
  await expect.poll(() => readdirSync(uploadFolder)).toEqual([]);
});

test("what a killed process received is deleted, and the folders of running ones are kept", () => {
  const dataDir = newDataDir();
  const folderOf = (name: string) => {
    const folder = join(dataDir, "incoming", name);
    mkdirSync(folder, { recursive: true });
    return folder;
  };
  const { pid: dead } = spawnSync(process.execPath, ["--version"]);
  const ofDead = folderOf(`${hostname()}~${dead}~1`);
  const ofPredecessor = folderOf(`${hostname()}~${process.pid}~1`);
  const ofRunning = folderOf(`${hostname()}~${process.ppid}~1`);
  const elsewhere = folderOf(`elsewhere~${dead}~1`);
  const elsewhereLongAgo = folderOf(`elsewhere~${dead}~2`);
  const twoDaysAgo = new Date(Date.now() - 48 * 60 * 60_000);
  utimesSync(elsewhereLongAgo, twoDaysAgo, twoDaysAgo);
  const own = openIncomingFolder(dataDir);
  const kept = [ofDead, ofPredecessor, ofRunning, elsewhere, elsewhereLongAgo, own].map((folder) => existsSync(folder));
  expect(kept).toEqual([false, false, true, true, false, true]);
});
