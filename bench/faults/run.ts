/**
 * What faults cost: the server is killed before and after each commit of a purchase, a top-up, a call's start and end,
 * and a renewal; Postgres is killed under load; a small disk fills up. Counts what was lost and what happened twice.
 * `node bench/faults/run.ts [organisations under load] [kills of Postgres]`, as root, because it mounts a tmpfs.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import { openDatabase } from "../../apps/server/src/db/database.ts";
import { startEmbeddedPostgres } from "../../apps/server/src/db/embedded/start-embedded-postgres.ts";
import { mailRenewalsJob } from "../../apps/server/src/features/numbers/renewals/mail-renewals.ts";
import { renewNumbersJob } from "../../apps/server/src/features/numbers/renewals/renew-numbers-job.ts";
import { runJobs } from "../../apps/server/src/jobs/run-jobs.ts";
import { createLog } from "../../apps/server/src/log.ts";
import { startApp } from "../../testing/start-app.ts";
import { writeResults } from "../write-results.ts";
import { openCommitProxy } from "./commit-proxy.ts";
import { fillDisk } from "./fill-disk.ts";
import { flowsOf } from "./flows.ts";
import { killAtEachStep, type Outcome } from "./kill-at-each-step.ts";
import { killPostgres } from "./kill-postgres.ts";
import { requestsTo, until } from "./payers.ts";

const payers = Number(process.argv[2] ?? 6);
const kills = Number(process.argv[3] ?? 5);
// Each person registers from an address of their own. Killed requests are in no log.
const env = { TRUSTED_PROXIES: "127.0.0.1", LOG_LEVEL: "fatal" };

const dataDir = mkdtempSync(join(tmpdir(), "leadline-bench-"));
const log = createLog("fatal");
const postgres = await startEmbeddedPostgres({ dataDir }, log);
const proxy = await openCommitProxy(postgres.url);
const outcomes: Outcome[] = [];
try {
  outcomes.push(...(await killServer()), await killDatabase());
} finally {
  proxy.close();
  await postgres.stop();
  rmSync(dataDir, { recursive: true, force: true });
}
outcomes.push(await fillDisk({ payers, env }));

writeResults("faults", {
  what: "The server runs as its own process and is asked as by browsers, which repeat a request with its key until it succeeds. The commits are those of the organisation's transactions that write. Operations were acknowledged. Lost and duplicated are what the database says afterwards.",
  rows: [
    ["fault", "operations", "lost", "duplicated", "ledgers that don’t add up"],
    ...outcomes.map(({ fault, acknowledged, lost, duplicated, unbalanced }) => [
      fault,
      ...[acknowledged, lost, duplicated, unbalanced].map(String),
    ]),
  ],
});
if (outcomes.some(({ lost, duplicated, unbalanced }) => lost + duplicated + unbalanced > 0)) process.exitCode = 1;

/** It takes minutes. */
function report(outcome: Outcome): Outcome {
  process.stderr.write(`${JSON.stringify(outcome)}\n`);
  return outcome;
}

async function killServer(): Promise<Outcome[]> {
  const app = await startApp({ env: { ...env, DATABASE_URL: proxy.url } });
  const database = openDatabase(postgres.url, log, { maxConnections: 2 });
  const jobs = await runJobs(postgres.url, [], log);
  const owner = new Client({ connectionString: postgres.url });
  await owner.connect();
  try {
    const requests = requestsTo(app.address);
    const mailer = { delivers: false, send: async () => {}, close: () => {} };
    const mail = mailRenewalsJob({ database, mailer, links: { billingPage: async () => "" } });
    const job = renewNumbersJob({ database, mail, log });
    const countDone = async (): Promise<number> => {
      const { rows } = await owner.query<{ done: number }>(
        "select count(*)::int as done from pgboss.job where name = $1 and state = 'completed'",
        [job.name],
      );
      return rows[0]?.done ?? 0;
    };
    const renewNumbers = async (signal?: AbortSignal): Promise<void> => {
      const before = await countDone();
      await database.withTransaction({ system: "order the renewals now" }, (tx) => jobs.enqueue(tx, job, {}));
      await until(async () => (await countDone()) > before, signal);
    };
    const done: Outcome[] = [];
    for (const flow of flowsOf({ requests, databaseUrl: postgres.url, renewNumbers }))
      done.push(report(await killAtEachStep({ app, proxy, requests, databaseUrl: postgres.url }, flow)));
    return done;
  } finally {
    await owner.end();
    await jobs.close();
    await database.close();
    await app.stop();
  }
}

async function killDatabase(): Promise<Outcome> {
  const app = await startApp({ env: { ...env, DATABASE_URL: postgres.url } });
  try {
    const requests = requestsTo(app.address);
    return report(await killPostgres({ requests, databaseUrl: postgres.url, dataDir, payers, kills }));
  } finally {
    await app.stop();
  }
}
