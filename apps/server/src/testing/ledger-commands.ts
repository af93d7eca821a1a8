import { array, constantFrom, integer, oneof, record } from "fast-check";
import { sql } from "kysely";
import type { Database } from "../db/database.ts";
import type { Tx } from "../db/transaction.ts";
import { correctCallCosts } from "../features/ledger/correct-call-costs.ts";
import { holdForNewCall } from "../features/ledger/hold-for-call.ts";
import { chargeForNumber } from "../features/ledger/pay-for-number.ts";
import { postPayment } from "../features/ledger/post-payment.ts";
import { Problem } from "../http/problem.ts";
import { flatRate } from "./flat-rate.ts";
import { checkLedger, operationsEach } from "./ledger-operations.ts";

/** What the product does with money. `end`: the trigger charges the call. */
type Command = {
  do: "top-up" | "refund" | "chargeback" | "correction" | "dial" | "end" | "renewal" | "metered" | "prepaid";
  /** Of the payment, the call or the month. */
  nth: number;
  micros: number;
};

const few = integer({ min: 0, max: 12 });
const micros = integer({ min: 1, max: 400 });
const of = (weight: number, ...kinds: Command["do"][]) => ({
  weight,
  arbitrary: record({ do: constantFrom(...kinds), nth: few, micros }),
});
/** Few keys, so that many are reused. Batches are sent concurrently. */
export const commands = array(
  array(
    oneof(
      of(4, "top-up"),
      of(1, "refund", "chargeback"),
      of(1, "correction"),
      of(5, "dial"),
      of(4, "end"),
      of(3, "renewal"),
      of(1, "metered", "prepaid", "prepaid"),
    ),
    { minLength: 6, maxLength: 6 },
  ),
  { minLength: operationsEach / 6, maxLength: operationsEach / 6 },
);

const callSidOf = (organisationId: string, nth: number): string => `CA-${organisationId}-${nth}`;

/** The key of the transfer that the command leaves. Null: the rows of calls say what is charged. */
function keyOf(organisationId: string, { do: what, nth }: Command): string | null {
  if (what === "correction") return `call:${callSidOf(organisationId, nth)}:carrier:1`;
  if (what === "renewal") return `number:${organisationId}:${nth}`;
  return what === "top-up" || what === "refund" || what === "chargeback" ? `${what}:${nth}` : null;
}

async function run(tx: Tx, organisationId: string, command: Command): Promise<void> {
  const { do: what, nth, micros: sum } = command;
  const callSid = callSidOf(organisationId, nth);
  if (what === "metered" || what === "prepaid") {
    await tx.updateTable("organisations").set({ billing_mode: what }).where("id", "=", organisationId).execute();
  } else if (what === "correction") {
    await correctCallCosts(tx, organisationId, [{ callSid, number: 1, micros: nth % 2 === 0 ? sum : -sum }]);
  } else if (what === "renewal") {
    await chargeForNumber(tx, { organisationId, numberId: organisationId, period: nth, micros: sum });
  } else if (what === "dial") {
    const inserted = await tx
      .insertInto("calls")
      .values({
        call_sid: callSid,
        organisation_id: organisationId,
        // An outbound call needs a person. The ledger doesn't distinguish them.
        direction: "inbound",
        status: "in-progress",
        phone_number: "+12025550100",
        phone_number_typed: "+12025550100",
        carrier: "sandbox",
        rate: JSON.stringify(flatRate(sum)),
        process_key: 0,
      })
      .onConflict((conflict) => conflict.column("call_sid").doNothing())
      .returning("call_sid")
      .executeTakeFirst();
    if (inserted) await holdForNewCall(tx, { organisationId, callSid, rate: flatRate(sum) });
  } else if (what === "end") {
    const ended = {
      ended_at: sql<string>`clock_timestamp()`,
      status: "completed",
      reason: "hung-up-here",
      cost_micros: sum % 3 && sum,
    } as const;
    await tx.updateTable("calls").set(ended).where("call_sid", "=", callSid).where("ended_at", "is", null).execute();
  } else {
    const signed = what === "top-up" ? sum : -sum;
    await postPayment(tx, { organisationId, key: `${what}:${nth}`, kind: what, micros: signed });
  }
}

/** The key was used for another sum, or the balance doesn't cover a call or a month. */
const isRefusal = (error: unknown, { do: what }: Command): boolean =>
  error instanceof Problem ||
  (error instanceof Error &&
    "code" in error &&
    (error.code === "LL001" || (error.code === "LL002" && what === "renewal")));

/** Sends each command to both at the same time, and returns the invariants that don't hold afterwards. */
export async function runCommands(
  processes: readonly [Database, Database],
  organisationId: string,
  batches: readonly (readonly Command[])[],
): Promise<string[]> {
  const done: Command[] = [];
  const send = async (database: Database, command: Command): Promise<void> => {
    try {
      await database.withTransaction({ organisationId }, (tx) => run(tx, organisationId, command));
      done.push(command);
    } catch (error) {
      if (!isRefusal(error, command)) throw error;
    }
  };
  for (const batch of batches) {
    const sent = processes.flatMap((database) => batch.map((command) => send(database, command)));
    // A failed run must leave nothing in progress.
    await Promise.allSettled(sent);
    await Promise.all(sent);
  }
  return processes[0].withTransaction({ organisationId }, async (tx) => {
    const { demand, broken, charged, holds } = await checkLedger(tx);
    for (const command of done) {
      const key = keyOf(organisationId, command);
      if (key !== null) demand(charged(key) === command.micros, "what was acknowledged is there, once");
    }
    const calls = await tx.selectFrom("calls").select(["call_sid", "ended_at", "cost_micros"]).execute();
    for (const { call_sid, ended_at, cost_micros } of calls) {
      const hold = holds.find(({ key }) => key === `call:${call_sid}`);
      demand(charged(`call:${call_sid}`) === cost_micros, "an ended call is charged once, a live one not");
      demand(hold === undefined || (hold.state === "open") === (ended_at === null), "a call's hold ends with it");
    }
    return broken();
  });
}
