/**
 * Calls written back to the sandboxes of all CRMs by two servers on one database: first how long a call takes from its
 * end to the CRM without faults, then many calls under a random mix of faults, each of which must be in its CRM exactly
 * once with its latest note. `node bench/write-back/run.ts [calls] [seed]`
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { startEmbeddedPostgres } from "../../apps/server/src/db/embedded/start-embedded-postgres.ts";
import { createLog } from "../../apps/server/src/log.ts";
import { median, percentile, writeResults } from "../write-results.ts";
import { injectFaults, minOfEach } from "./inject-faults.ts";
import { type CrmUnderTest, openCrmsUnderTest } from "./open-crms-under-test.ts";
import { startWriters } from "./writers.ts";

const count = Number(process.argv[2] ?? 10_000);
const seed = Number(process.argv[3] ?? 20_261_124);
/** Per CRM. */
const callsWithoutFaults = 100;
const betweenCallsMs = 100;
const betweenBatchesMs = 200;

const dataDir = mkdtempSync(join(tmpdir(), "leadline-bench-"));
const postgres = await startEmbeddedPostgres({ dataDir }, createLog("error"));
const owner = new Client({ connectionString: postgres.url });
await owner.connect();
const opened = await openCrmsUnderTest({ databaseUrl: postgres.url, owner, log: createLog("fatal") });
const { tested } = opened;
/** The same number for each CRM. */
const atOnce = 15 * tested.length;
const writers = await startWriters(opened.order, 2);

const sidOf = (kind: string, index: number) => `CA${kind}${String(index).padStart(31, "0")}`;
/** Faulty calls take turns among the CRMs. */
const isOf = (at: number) => (_: unknown, index: number) => index % tested.length === at;
const faulty = Array.from({ length: count }, (_, index) => sidOf("b", index));

async function inSystem(statement: string, values: readonly unknown[] = []): Promise<Record<string, number>[]> {
  await owner.query("begin");
  await owner.query("select set_config('app.scope', 'system', true)");
  const { rows } = await owner.query(statement, [...values]);
  await owner.query("commit");
  return rows;
}

/** Ends calls with all leads' numbers in turn; they occupy no line, so any number can end at once. */
const endCalls = ({ organisationId, userId, phoneNumbers }: CrmUnderTest, callSids: readonly string[]) =>
  inSystem(
    `insert into calls (call_sid, organisation_id, user_id, direction, status, phone_number, phone_number_typed,
      carrier, process_key, ended_at, reason)
     select call_sid, $1, $2, 'outbound', 'no-answer',
       ($3::text[])[1 + right(call_sid, 8)::int / ${tested.length} % cardinality($3::text[])],
       '', 'sandbox', 0, clock_timestamp(), 'no-answer'
     from unnest($4::text[]) as given (call_sid)`,
    [organisationId, userId, phoneNumbers, callSids],
  );

/** People reconnect, and long waits pass. */
async function letTimePass(): Promise<void> {
  for (const each of tested) if (await each.reconnect()) reconnected += 1;
  // Longer than a server holds a call.
  await inSystem(
    `update call_activities set due_at = clock_timestamp()
     where state = 'waiting' and due_at > clock_timestamp() + interval '121 seconds'`,
  );
  await inSystem(
    "update integrations set paused_until = null where paused_until > clock_timestamp() + interval '20 seconds'",
  );
}

/** Waits until this many calls are logged. */
async function untilWritten(calls: number): Promise<void> {
  for (;;) {
    const [{ written = 0 } = {}] = await inSystem(
      "select count(*) filter (where state = 'written')::int as written from call_activities",
    );
    if (written >= calls) return;
    await letTimePass();
    await sleep(500);
  }
}
let reconnected = 0;

try {
  const endedAt = new Map<string, number>();
  for (let index = 0; index < callsWithoutFaults * tested.length; index += 1) {
    const [crm] = tested.filter((_, at) => at === index % tested.length);
    const callSid = sidOf("a", index);
    endedAt.set(callSid, performance.now());
    if (crm) await endCalls(crm, [callSid]);
    await sleep(betweenCallsMs / tested.length);
  }
  await untilWritten(endedAt.size);
  const tookMs = [...endedAt].map(([callSid, atMs]) => (writers.reportedAtMs.get(callSid) ?? Number.NaN) - atMs);

  const startedMs = performance.now();
  const faults = injectFaults(
    tested.map(({ sandbox }) => sandbox),
    { seed, killWriter: writers.kill },
  );
  const batches = Math.ceil(count / atOnce);
  const rareFaults = faults.rareKinds * Math.max(tested.length, minOfEach);
  let rareTurn = 0;
  for (let batch = 0; batch < batches; batch += 1) {
    for (; rareTurn < ((batch + 1) * rareFaults) / batches; rareTurn += 1) faults.injectRare(rareTurn);
    const some = faulty.slice(batch * atOnce, (batch + 1) * atOnce);
    for (const [at, crm] of tested.entries()) await endCalls(crm, some.filter(isOf(at)));
    await letTimePass();
    await sleep(betweenBatchesMs);
  }
  await untilWritten(endedAt.size + Math.floor(count / 2));
  // A note is written while others are still in progress.
  await inSystem("update calls set note = 'Edited.' where call_sid like 'CAb%0'");
  await untilWritten(endedAt.size + Math.floor(count * 0.9));
  const { counts: injected, missing } = await faults.stop();
  await untilWritten(endedAt.size + count);
  const seconds = (performance.now() - startedMs) / 1_000;

  const rows = tested.map(({ service, sandbox }, at) => {
    const asked = faulty.filter(isOf(at));
    const there = sandbox.writtenCalls().filter(({ callSid }) => callSid.startsWith("CAb"));
    const once = new Set(there.map(({ callSid }) => callSid));
    const lost = asked.filter((callSid) => !once.has(callSid)).length;
    const stale = there.filter(({ callSid, note }) => callSid.endsWith("0") && !note.includes("Edited.")).length;
    return { service, asked: asked.length, lost, duplicated: there.length - once.size, stale };
  });
  const ms = (value: number) => `${value.toFixed(0)} ms`;
  writeResults("write-back", {
    what: `Two servers on one database write calls to the sandboxes of ${rows.length} CRMs. Seed ${seed}.`,
    rows: [
      ["", ""],
      [`hang-up to written without faults, median of ${endedAt.size} calls`, ms(median(tookMs))],
      ["the same, p95", ms(percentile(tookMs, 0.95))],
      ["calls under faults", String(count)],
      ...Object.entries(injected).map(([name, times]) => [`faults: ${name}`, String(times)]),
      ["times that a person reconnected a CRM", String(reconnected)],
      ...rows.map(({ service, asked, lost, duplicated, stale }) => [
        service,
        `${asked} calls: ${lost} lost, ${duplicated} duplicated, ${stale} with an old note`,
      ]),
      ["until all were written", `${seconds.toFixed(0)} s`],
    ],
  });
  if (missing.length > 0) console.error(`Too few of these faults happened: ${missing.join(", ")}.`);
  if (missing.length > 0 || rows.some(({ lost, duplicated, stale }) => lost + duplicated + stale > 0))
    process.exitCode = 1;
} finally {
  await writers.stop();
  await opened.close();
  await owner.end();
  await postgres.stop();
  rmSync(dataDir, { recursive: true, force: true });
}
