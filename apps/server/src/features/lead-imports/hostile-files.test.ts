import { createHash } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { threadCpuUsage } from "node:process";
import type { LeadImport } from "@leadline/contract/lead-imports";
import { sql } from "kysely";
import { expect, onTestFinished, test, vi } from "vitest";
import { makeOrganisation, registerPerson, testApp } from "../../testing/test-app.ts";
import type { Rep } from "../../testing/test-calls.ts";
import { readCells } from "./reading/read-csv.ts";

const app = testApp();
const header = "First Name,Last Name,E-Mail,Mobile Phone";
const mapping = { firstName: 0, lastName: 1, email: 2, phone: 3 };
const goodRow = "Bob,Stone,bob@x.example,(202) 555-0100";

async function newRep(): Promise<Rep> {
  const person = await registerPerson(app);
  const { id: organisationId } = await makeOrganisation(app, person);
  return { ...person, organisationId };
}

/** The CPU time that the API's thread spends during the work. Elapsed time would depend on other programs. */
async function ownCpuMs(work: () => Promise<unknown>): Promise<number> {
  const before = threadCpuUsage();
  await work();
  const { user, system } = threadCpuUsage(before);
  return (user + system) / 1_000;
}

function upload(rep: Rep, content: string) {
  const form = new FormData();
  form.append("file[]", new File([content], "leads.csv"));
  return app.ask("POST", "/v1/lead-imports", { token: rep.token, form });
}

const wide = (columns: number): string => Array.from({ length: columns }, (_, index) => `c${index}`).join(",");

test.each<[string, string, RegExp]>([
  ["a megabyte of line breaks", `${header}\n${"\n".repeat(2 ** 20)}`, /no rows after the column names/],
  ["ten megabytes of line breaks", `${header}\n${"\n".repeat(10 * 2 ** 20)}`, /no rows after the column names/],
  ["one line of ten megabytes", `${header}\n${"a".repeat(10 * 2 ** 20)}`, /Row 2 is too long/],
  ["a first line of ten megabytes", "a,".repeat(5 * 2 ** 20), /more than 200 columns/],
  ["one quoted cell of ten megabytes", `${header}\n"${'""'.repeat(5 * 2 ** 20)}"\n`, /Row 2 is too long/],
  ["100,000 columns", wide(100_000), /more than 200 columns/],
  ["a row of more cells than any header", `${header}\n${goodRow}\n${wide(201)}\n`, /Row 3 has more than 200 columns/],
  ["quotation marks alone", `${header}\n${'"\n'.repeat(2 ** 20)}`, /no rows after the column names/],
  ["two million rows", `${header}\n${"a\n".repeat(2 ** 21)}`, /more than 100,000 rows/],
])("%s barely blocks the API’s thread", async (_, content, why) => {
  const rep = await newRep();
  let answer: Awaited<ReturnType<typeof upload>> | undefined;
  const spentMs = await ownCpuMs(async () => {
    answer = await upload(rep, content);
  });
  expect(answer?.json()).toMatchObject({ status: 422, detail: expect.stringMatching(why) });
  // Most of it is receiving ten megabytes in this same process.
  expect(spentMs).toBeLessThan(2_000);
});

test("stops reading a file when its sender has gone", async () => {
  const folder = mkdtempSync(join(tmpdir(), "leadline-gone-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, "leads.csv");
  writeFileSync(path, `${goodRow}\n`.repeat(90_000));
  const sender = new AbortController();
  const gone = new Error("the sender has gone");
  const parts = readCells({
    path,
    delimiter: ",",
    startByte: 0,
    rowsBefore: 1,
    keep: 1,
    by: "sender",
    signal: sender.signal,
  });
  expect((await parts.next()).value).toMatchObject({ isEndOfFile: false });
  sender.abort(gone);
  await expect(parts.next()).rejects.toBe(gone);
});

test("an upload whose sender disconnects right after it creates no import", async () => {
  const rep = await newRep();
  const content = `${header}\n${goodRow}\n`;
  await upload(rep, content);
  const origin = new URL(await app.http.listen({ port: 0, host: "127.0.0.1" }));
  const body = `--x\r\ncontent-disposition: form-data; name="file[]"; filename="gone.csv"\r\n\r\n${content}\r\n--x--\r\n`;
  const head = [
    "POST /api/v1/lead-imports HTTP/1.1",
    `host: ${origin.host}`,
    `authorization: Bearer ${rep.token}`,
    "content-type: multipart/form-data; boundary=x",
    `content-length: ${body.length}`,
  ];
  const connected = once(app.http.server, "connection");
  // The upload waits here, since the lock keeps it from being counted.
  await app.database.withTransaction({ system: "hold an upload" }, async (tx) => {
    const key = createHash("sha256").update(`day:lead import:${rep.id}`).digest();
    await tx.selectFrom("sign_in_attempts").selectAll().where("key", "=", key).forUpdate().executeTakeFirstOrThrow();
    const socket = connect(Number(origin.port), origin.hostname);
    socket.write(`${head.join("\r\n")}\r\n\r\n${body}`);
    const waiting = sql`select 1 from pg_locks where not granted and pg_backend_pid() = any (pg_blocking_pids(pid))`;
    await vi.waitFor(async () => expect((await waiting.execute(tx)).rows).toHaveLength(1));
    const [atServer]: Socket[] = await connected;
    socket.destroy();
    if (atServer && !atServer.closed) await once(atServer, "close");
  });
  // Read in the same thread, after the first file.
  expect((await upload(rep, content)).statusCode).toBe(201);
  const drafts = await app.database.withTransaction({ organisationId: rep.organisationId }, (tx) =>
    tx.selectFrom("lead_imports").select("file_name").where("user_id", "=", rep.id).execute(),
  );
  expect(drafts).toEqual([{ file_name: "leads.csv" }, { file_name: "leads.csv" }]);
});

test("an import of 90,000 rows of the wrong width costs the API’s thread next to nothing, and reports each row", async () => {
  const rep = await newRep();
  const prepared = await upload(rep, `${header}\n${goodRow}\n${"x\n".repeat(90_000)}`);
  expect(prepared.json()).toMatchObject({ rowCount: 90_001 });
  const { id } = prepared.json<LeadImport>();
  const spentMs = await ownCpuMs(async () => {
    await app.ask("POST", `/v1/lead-imports/${id}/start`, { token: rep.token, body: { mapping } });
    await vi.waitFor(
      async () => {
        const { state } = (await app.ask("GET", `/v1/lead-imports/${id}`, { token: rep.token })).json<LeadImport>();
        expect(state).toBe("completed");
      },
      { timeout: 100_000, interval: 500 },
    );
  });
  const done = (await app.ask("GET", `/v1/lead-imports/${id}`, { token: rep.token })).json<LeadImport>();
  expect(done).toMatchObject({ created: 1, failed: 90_000 });
  expect(spentMs).toBeLessThan(5_000);
});
