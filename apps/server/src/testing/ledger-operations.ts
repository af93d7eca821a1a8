import { type Arbitrary, array, constantFrom, integer, oneof, record } from "fast-check";
import { sql } from "kysely";
import type { Database } from "../db/database.ts";
import type { Tx } from "../db/transaction.ts";
import type { LedgerAccount } from "../features/ledger/ledger.table.ts";
import { postTransfer } from "./post-transfer.ts";

type Operation =
  | { do: "post"; key: string; from: LedgerAccount; to: LedgerAccount; sum: number }
  | { do: "hold"; key: string; sum: number }
  | { do: "settle"; key: string; sum: number };

const anySum = integer({ min: 1, max: 400 });
const ways = [
  ["payments", "balance"],
  ["payments", "balance"],
  ["balance", "costs"],
  ["balance", "costs"],
  ["metered", "costs"],
  ["costs", "metered"],
] as const satisfies [LedgerAccount, LedgerAccount][];
const post = record({ key: integer({ min: 0, max: 60 }), way: constantFrom(...ways), sum: anySum });
const held = record({ key: integer({ min: 0, max: 8 }), sum: anySum });
/** Few keys, so that many are reused, for the same operation and for others. */
const anyOperation: Arbitrary<Operation> = oneof(
  {
    weight: 4,
    arbitrary: post.map(({ key, way: [from, to], sum }) => ({ do: "post" as const, key: `p${key}`, from, to, sum })),
  },
  { weight: 3, arbitrary: held.map(({ key, sum }) => ({ do: "hold" as const, key: `h${key}`, sum })) },
  {
    weight: 2,
    arbitrary: held.map(({ key, sum }) => ({ do: "settle" as const, key: `h${key}`, sum: sum < 40 ? 0 : sum })),
  },
);
export const operationsEach = 60;
/** Batches of operations that are sent concurrently. */
export const operations = array(array(anyOperation, { minLength: 6, maxLength: 6 }), {
  minLength: operationsEach / 6,
  maxLength: operationsEach / 6,
});

/**
 * Expected refusals: the key is in use for something else, the balance is too low, or the hold is resolved or unknown.
 */
const refusals = { post: ["LL001", "LL002"], hold: ["LL003"], settle: ["P0002"] };

type Outcome = { operation: Operation; done: boolean };

async function send(database: Database, organisationId: string, operation: Operation): Promise<Outcome> {
  const { key, sum } = operation;
  try {
    const done = await database.withTransaction({ organisationId }, async (tx) => {
      if (operation.do === "post") {
        const { from, to } = operation;
        await postTransfer(tx, { organisationId, key, kind: "test", from, to, amountMicros: sum });
        return true;
      }
      if (operation.do === "settle") {
        await sql`select ledger_settle(${organisationId}, ${key}, 'call', ${sum})`.execute(tx);
        return true;
      }
      const { rows } = await sql<{ done: boolean }>`
        select ledger_hold(${organisationId}, ${key}, ${sum}) as done`.execute(tx);
      return rows[0]?.done === true;
    });
    return { operation, done };
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    if (refusals[operation.do].includes(code)) return { operation, done: false };
    throw error;
  }
}

/** Sends each operation to both at the same time, and returns the invariants that don't hold afterwards. */
export async function runOperations(
  processes: readonly [Database, Database],
  organisationId: string,
  batches: readonly (readonly Operation[])[],
): Promise<string[]> {
  const outcomes: Outcome[] = [];
  for (const batch of batches) {
    const sent = processes.flatMap((database) => batch.map((one) => send(database, organisationId, one)));
    // A failed run must leave nothing in progress.
    await Promise.allSettled(sent);
    outcomes.push(...(await Promise.all(sent)));
  }
  return processes[0].withTransaction({ organisationId }, async (tx) => {
    const { demand, broken, charged, holds } = await checkLedger(tx);
    for (const { operation, done } of outcomes) {
      if (!done) continue;
      const { key, sum } = operation;
      const hold = holds.find((row) => row.key === key);
      if (operation.do === "post") demand(charged(key) === sum, "what was acknowledged is there, once");
      if (operation.do === "hold") demand(hold !== undefined && hold.amount >= sum, "what was held is held");
      if (operation.do === "settle")
        demand(hold?.state === "posted" || hold?.state === "voided", "settled is resolved");
    }
    for (const { key, state } of holds) {
      const asked = outcomes.filter((one) => one.operation.do === "settle" && one.operation.key === key && one.done);
      const sums = asked.map((one) => one.operation.sum);
      demand(state === "open" ? charged(key) === 0 : sums.includes(charged(key)), "a resolved hold has its one charge");
    }
    return broken();
  });
}

/** Money that a bank has taken back, which may leave the balance below zero. */
const takesAlways = new Set(["refund", "chargeback"]);

/** Demands what is true of every ledger, and lets the caller demand more. */
export async function checkLedger(tx: Tx) {
  const accounts = await tx.selectFrom("ledger_accounts").selectAll().execute();
  const transfers = await tx.selectFrom("ledger_transfers").selectAll().orderBy("id").execute();
  const holds = await tx.selectFrom("ledger_holds").selectAll().execute();
  const found = new Set<string>();
  const demand = (holdsTrue: boolean, what: string) => void (holdsTrue || found.add(what));
  const total = (amounts: readonly number[]) => amounts.reduce((one, other) => one + other, 0);
  demand(total(accounts.map(({ balance }) => balance)) === 0, "the accounts add up to zero");
  for (const { account, balance } of accounts) {
    let running = 0;
    for (const row of transfers) {
      if (row.from_account === account) demand((running -= row.amount) === row.from_balance, `${account} runs on`);
      if (row.to_account === account) demand((running += row.amount) === row.to_balance, `${account} runs on`);
    }
    demand(running === balance, `${account}: cached balance is the derived one`);
  }
  const ofBalance = accounts.find(({ account }) => account === "balance");
  const open = holds.filter(({ state }) => state === "open");
  demand(ofBalance?.held === total(open.map(({ amount }) => amount)), "held is what the open holds add up to");
  const available = (ofBalance?.balance ?? 0) - (ofBalance?.held ?? 0);
  const lost = total(transfers.filter(({ kind }) => takesAlways.has(kind)).map(({ amount }) => amount));
  demand(available >= -lost, "no more is held or spent than there is");
  demand(new Set(transfers.map(({ key }) => key)).size === transfers.length, "one transfer a key");
  const charged = (key: string) =>
    total(transfers.filter((row) => row.key === key || row.key === `${key}:write-off`).map(({ amount }) => amount));
  for (const { key, state } of holds)
    demand((state === "posted") === charged(key) > 0, "a hold is posted where it was charged");
  return { holds, charged, demand, broken: () => [...found] };
}
