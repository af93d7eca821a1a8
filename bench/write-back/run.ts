/**
 * Calls written back to a CRM's sandbox by two servers on one database: first how long a call takes from its end to the
 * CRM without faults, then many calls under a random mix of faults, each of which must be in the CRM exactly once with
 * its latest note. `node bench/write-back/run.ts [calls] [crm] [seed]`
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { crms } from "../../apps/server/src/adapters.ts";
import { startEmbeddedPostgres } from "../../apps/server/src/db/embedded/start-embedded-postgres.ts";
import { createLog } from "../../apps/server/src/log.ts";
import { median, percentile, writeResults } from "../write-results.ts";
import { injectFaults } from "./inject-faults.ts";
import { openTwoServers } from "./open-two-servers.ts";

const count = Number(process.argv[2] ?? 10_000);
const service = process.argv[3] ?? crms[0]?.module.id ?? "";
const seed = Number(process.argv[4] ?? 20_261_124);
const callsWithoutFaults = 100;
const betweenCallsMs = 100;

const dataDir = mkdtempSync(join(tmpdir(), "leadline-bench-"));
const log = createLog("fatal");
const postgres = await startEmbeddedPostgres({ dataDir }, createLog("error"));
const servers = await openTwoServers({ databaseUrl: postgres.url, service, log });
const owner = new Client({ connectionString: postgres.url });
await owner.connect();

try {
  const { organisationId, userId, phoneNumber } = servers;
  /** Ends calls with the lead's number; they occupy no line, so any number can end at once. */
  const endCalls = async (callSids: readonly string[]): Promise<void> => {
    await owner.query("begin");
    await owner.query("select set_config('app.scope', 'system', true)");
    await owner.query(
      `insert into calls (call_sid, organisation_id, user_id, direction, status, phone_number, phone_number_typed,
        carrier, process_key, ended_at, reason)
       select call_sid, $1, $2, 'outbound', 'no-answer', $3, '', 'sandbox', 0, clock_timestamp(), 'no-answer'
       from unnest($4::text[]) as given (call_sid)`,
      [organisationId, userId, phoneNumber, callSids],
    );
    await owner.query("commit");
  };
  const sidOf = (kind: string, index: number) => `CA${kind}${String(index).padStart(31, "0")}`;

  servers.startWriting();
  const endedAt = new Map<string, number>();
  for (let index = 0; index < callsWithoutFaults; index += 1) {
    const callSid = sidOf("a", index);
    endedAt.set(callSid, performance.now());
    await endCalls([callSid]);
    await sleep(betweenCallsMs);
  }
  await servers.retryWrite(callsWithoutFaults);
  const tookMs = [...endedAt].map(([callSid, atMs]) => (servers.writtenAtMs.get(callSid) ?? Number.NaN) - atMs);

  const startedMs = performance.now();
  const faults = injectFaults(servers, seed);
  for (let from = 0; from < count; from += 100) {
    await endCalls(Array.from({ length: Math.min(100, count - from) }, (_, index) => sidOf("b", from + index)));
    await sleep(50);
  }
  await servers.retryWrite(callsWithoutFaults + count / 2);
  // A note is written while others are still in progress.
  await owner.query("begin");
  await owner.query("select set_config('app.scope', 'system', true)");
  await owner.query("update calls set note = 'Edited.' where call_sid like 'CAb%0'");
  await owner.query("commit");
  await servers.retryWrite(callsWithoutFaults + Math.floor(count * 0.9));
  const injected = await faults.stop();
  await servers.retryWrite(callsWithoutFaults + count);
  const seconds = (performance.now() - startedMs) / 1_000;

  const there = servers.writtenCalls().filter(({ callSid }) => callSid.startsWith("CAb"));
  const once = new Set(there.map(({ callSid }) => callSid));
  const stale = there.filter(({ callSid, note }) => callSid.endsWith("0") && !note.includes("Edited."));
  const ms = (value: number) => value.toFixed(0);
  writeResults("write-back", {
    what: `Two servers on one database write calls to the ${service} sandbox. Seed ${seed}.`,
    rows: [
      ["", ""],
      [`hang-up to written without faults, median of ${callsWithoutFaults} calls`, `${ms(median(tookMs))} ms`],
      ["the same, p95", `${ms(percentile(tookMs, 0.95))} ms`],
      ["calls under faults", String(count)],
      [
        "faults injected",
        Object.entries(injected)
          .map(([name, times]) => `${times} ${name}`)
          .join(", "),
      ],
      ["lost", String(count - once.size)],
      ["duplicated", String(there.length - once.size)],
      ["with an old note", String(stale.length)],
      ["until all were written", `${seconds.toFixed(0)} s`],
    ],
  });
  if (once.size !== count || there.length !== once.size || stale.length > 0) process.exitCode = 1;
} finally {
  await servers.close();
  await owner.end();
  await postgres.stop();
  rmSync(dataDir, { recursive: true, force: true });
}
