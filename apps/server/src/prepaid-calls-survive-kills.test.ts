import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { BillingSummary } from "@leadline/contract/billing";
import type { Call } from "@leadline/contract/calls";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { openDatabase } from "./db/database.ts";
import { createLog } from "./log.ts";
import { asksProcess, type ProcessRep as Rep } from "./testing/asks-process.ts";
import { type BreakableDatabase, breakableDatabase } from "./testing/breakable-database.ts";
import { ownMigratedDatabase } from "./testing/own-database.ts";
import { adjustBalance } from "./testing/set-balance.ts";
import { type LeadlineProcess, startProcess } from "./testing/start-process.ts";

const dataDir = mkdtempSync(join(tmpdir(), "leadline-prepaid-"));
const own = await ownMigratedDatabase();
let database: BreakableDatabase;
let leadline: LeadlineProcess;
const start = async () => {
  leadline = await startProcess({ DATA_DIR: dataDir, DATABASE_URL: database.url, LOG_LEVEL: "fatal" });
};
beforeAll(async () => {
  database = await breakableDatabase(own.url);
  await start();
});
afterAll(async () => {
  await leadline.stop("SIGTERM");
  database.close();
  await own.drop();
  rmSync(dataDir, { recursive: true, force: true });
});

const { ask, newRep } = asksProcess(() => leadline.origin);
const balanceMicros = 1_000_000;

async function newPrepaidRep(): Promise<Rep> {
  const rep = await newRep();
  await ask("PUT", "/v1/billing/mode", { token: rep.token, body: { mode: "prepaid" } });
  const direct = openDatabase(own.url, createLog("silent"), { maxConnections: 1 });
  await adjustBalance(direct, { ...rep, balanceMicros }).finally(() => direct.close());
  return rep;
}
const summaryOf = async ({ token }: Rep): Promise<BillingSummary> =>
  (await ask("GET", "/v1/billing/summary", { token })).json;
const callsOf = async ({ token }: Rep): Promise<Call[]> => (await ask("GET", "/v1/calls", { token })).json;
const dial = ({ token }: Rep) => ask("POST", "/v1/calls", { token, body: { phoneNumber: "+12025550100" } });

/**
 * Kills the server at the commit of the transaction with this statement, without it seeing the response, and restarts
 * it.
 */
async function killAtCommitOf(statement: string, commits: boolean, request: () => Promise<unknown>): Promise<void> {
  const killed = new Promise<void>((resolve) =>
    database.cutAtCommitOf(statement, {
      commits,
      onCut: () => void leadline.stop("SIGKILL").then(() => resolve()),
    }),
  );
  await Promise.all([killed, request().catch(() => {})]);
  await start();
}

/** Every hold is charged or released, and every micro is accounted for. */
async function settled(rep: Rep): Promise<{ summary: BillingSummary; calls: Call[] }> {
  return vi.waitFor(
    async () => {
      const [summary, calls] = [await summaryOf(rep), await callsOf(rep)];
      expect(calls.filter(({ endedAt }) => endedAt === null)).toEqual([]);
      expect(summary.heldMicros).toBe(0);
      const cost = calls.reduce((sum, call) => sum + call.costMicros, 0);
      expect(summary).toMatchObject({ balanceMicros: balanceMicros - cost, monthCostMicros: cost });
      const { entries } = (await ask("GET", "/v1/billing/entries?kind=call", { token: rep.token })).json;
      expect(entries).toHaveLength(calls.filter(({ costMicros }) => costMicros > 0).length);
      return { summary, calls };
    },
    { timeout: 60_000, interval: 100 },
  );
}

test("a server killed while storing a call leaves neither call nor hold, or an ended call with its hold released", async () => {
  for (const commits of [false, true]) {
    const rep = await newPrepaidRep();
    await killAtCommitOf('insert into "calls"', commits, () => dial(rep));
    const { calls } = await settled(rep);
    expect(calls.map(({ costMicros }) => costMicros)).toEqual(commits ? [0] : []);
  }
});

test("a server killed while a call is ending charges it once", async () => {
  for (const commits of [false, true]) {
    const rep = await newPrepaidRep();
    const { callSid } = (await dial(rep)).json;
    await vi.waitFor(async () => expect(await callsOf(rep)).toMatchObject([{ callSid, status: "in-progress" }]));
    expect((await summaryOf(rep)).heldMicros).toBeGreaterThan(0);
    await killAtCommitOf('"ended_at" = clock_timestamp()', commits, () =>
      ask("POST", `/v1/calls/${callSid}/hang-up`, { token: rep.token }),
    );
    const { calls, summary } = await settled(rep);
    expect(calls).toHaveLength(1);
    expect(summary.monthCostMicros).toBeGreaterThan(0);
  }
});
