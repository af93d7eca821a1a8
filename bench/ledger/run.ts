/**
 * Ledger transfers per second compared to pgbench's bare transfer between two rows, in one run: on one hot
 * organisation, and over 100. Then the first page of a statement of a million entries. `node bench/ledger/run.ts
 * [rounds] [entries]`
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import { openDatabase } from "../../apps/server/src/db/database.ts";
import { startEmbeddedPostgres } from "../../apps/server/src/db/embedded/start-embedded-postgres.ts";
import { migrate } from "../../apps/server/src/db/migrate.ts";
import { selectEntries } from "../../apps/server/src/features/billing/entries.table.ts";
import { createLog } from "../../apps/server/src/log.ts";
import { pgbench } from "../http/pgbench.ts";
import { median, writeResults } from "../write-results.ts";

const rounds = Number(process.argv[2] ?? 5);
const entries = Number(process.argv[3] ?? 1_000_000);
const connections = 8;
const seconds = 4;

const organisation = (n: number | string) => `('00000000-0000-4000-8000-' || lpad(${n}::text, 12, '0'))::uuid`;

const asApp = (url: string): string => `${url}${url.includes("?") ? "&" : "?"}options=-c%20role%3Dleadline_app`;

/** In the organisation's scope, each in one transaction. */
const ledgerScript = (accounts: number): string => `
  \\set n random(1, ${accounts})
  \\set key random(1, 9000000000000000)
  begin;
  select set_config('app.organisation_id', ${organisation(":n")}::text, true);
  select ledger_post(${organisation(":n")}, :key::text, 'call', 'payments', 'balance', 1);
  commit;`;

const bareScript = (accounts: number): string => `
  \\set n random(1, ${accounts})
  begin;
  update bare set balance = balance - 1 where id = :n * 2;
  update bare set balance = balance + 1 where id = :n * 2 + 1;
  commit;`;

const dataDir = mkdtempSync(join(tmpdir(), "leadline-bench-ledger-"));
const postgres = await startEmbeddedPostgres({ dataDir }, createLog("error"));
const client = new Client({ connectionString: postgres.url });
try {
  await migrate(postgres.url);
  await client.connect();
  await client.query("select set_config('app.scope', 'system', false)");
  await client.query(
    `insert into organisations (id, name) select ${organisation("n")}, 'Bench' from generate_series(0, 100) n`,
  );
  await client.query(
    "create table bare (id int primary key, balance bigint not null default 0) with (fillfactor = 50)",
  );
  await client.query("insert into bare select generate_series(2, 201)");
  await measure();
} finally {
  await client.end();
  await postgres.stop();
  rmSync(dataDir, { recursive: true });
}

async function measure(): Promise<void> {
  const rates = new Map<string, number[]>();
  const sides = { ledger: ledgerScript, bare: bareScript };
  // The first round is a warm-up.
  for (let round = -1; round < rounds; round += 1) {
    for (const accounts of [1, 100]) {
      for (const [side, script] of Object.entries(sides)) {
        const url = side === "ledger" ? asApp(postgres.url) : postgres.url;
        const rate = await pgbench(url, { script: script(accounts), connections, seconds });
        if (rate === null) throw new Error("pgbench is not installed (Debian: postgresql-contrib)");
        if (round >= 0) rates.set(`${side} ${accounts}`, [...(rates.get(`${side} ${accounts}`) ?? []), rate]);
      }
    }
  }
  const rows = [1, 100].map((accounts) => {
    const [ledger, bare] = [median(rates.get(`ledger ${accounts}`) ?? []), median(rates.get(`bare ${accounts}`) ?? [])];
    return [`${accounts}`, ledger.toFixed(0), bare.toFixed(0), (ledger / bare).toFixed(2)];
  });
  const page = await readFirstPage();
  writeResults("ledger", {
    what: `Acknowledged transfers a second over ${connections} connections: the ledger's, each with its key, entry and checks under row-level security, and pgbench's bare update of two rows. Medians of ${rounds} interleaved rounds of ${seconds} s. The first page of a statement of ${entries.toLocaleString("en")} entries takes ${page.toFixed(1)} ms (median of 20).`,
    rows: [["organisations", "ledger", "two bare rows", "ratio"], ...rows],
  });
}

async function readFirstPage(): Promise<number> {
  await client.query(
    `insert into ledger_transfers (organisation_id, key, kind, from_account, to_account, amount, from_balance, to_balance, posted_at)
     select ${organisation(0)}, n::text, 'call', 'metered', 'costs', 1, -n, n, now() - make_interval(secs => $1 - n)
     from generate_series(1, $1) n`,
    [entries],
  );
  await client.query("analyze ledger_transfers");
  const organisationId = "00000000-0000-4000-8000-000000000000";
  const asked = { organisationId, month: null, kind: null, from: null, to: null };
  const database = openDatabase(postgres.url, createLog("error"), { maxConnections: 1 });
  const taken: number[] = [];
  for (let time = 0; time < 20; time += 1) {
    const askedAt = performance.now();
    await database.readInTransaction({ organisationId }, (tx) => selectEntries(tx, asked, { before: null, limit: 51 }));
    taken.push(performance.now() - askedAt);
  }
  await database.close();
  return median(taken);
}
