import { randomUUID } from "node:crypto";
import { asyncProperty, check, defaultReportMessage } from "fast-check";
import { sql } from "kysely";
import { afterAll, describe, expect, test } from "vitest";
import { openDatabase } from "../../db/database.ts";
import { createLog } from "../../log.ts";
import { commands, runCommands } from "../../testing/ledger-commands.ts";
import { operations, operationsEach, runOperations } from "../../testing/ledger-operations.ts";
import { postTransfer } from "../../testing/post-transfer.ts";
import { asSuperuser, ownMigratedDatabase } from "../../testing/own-database.ts";

const own = await ownMigratedDatabase();
const open = () => openDatabase(own.url, createLog("fatal"), { maxConnections: 3, patienceMs: 30_000 });
/** Like two processes, each with two concurrent transactions of an organisation. */
const processes = [open(), open()] as const;
const [database] = processes;
afterAll(async () => {
  await Promise.all(processes.map((each) => each.close()));
  await own.drop();
});

async function newLedger(): Promise<string> {
  const organisationId = randomUUID();
  await database.withTransaction({ organisationId }, (tx) =>
    tx.insertInto("organisations").values({ id: organisationId, name: "Ledger" }).execute(),
  );
  return organisationId;
}

const property = asyncProperty(operations, async (batches) => {
  const broken = await runOperations(processes, await newLedger(), batches);
  if (broken.length > 0) throw new Error(broken.join("; "));
});

const propertyOfCommands = asyncProperty(commands, async (batches) => {
  const broken = await runCommands(processes, await newLedger(), batches);
  if (broken.length > 0) throw new Error(broken.join("; "));
});

const checkOperations = (count: number) =>
  check(property, { numRuns: Math.ceil(count / operationsEach), endOnFailure: true, includeErrorInReport: true });
const checkCommands = (count: number) =>
  check(propertyOfCommands, {
    numRuns: Math.ceil(count / operationsEach),
    endOnFailure: true,
    includeErrorInReport: true,
  });

describe("random operations, each sent twice at the same time,", () => {
  test("leave every invariant of the ledger intact", async () => {
    expect(defaultReportMessage(await checkOperations(1_000))).toBeUndefined();
  });

  test("leave them intact as calls, payments, corrections and renewals, too", async () => {
    expect(defaultReportMessage(await checkCommands(2_000))).toBeUndefined();
  });

  const functions = {
    ledger_post: "uuid, text, text, text, text, bigint, text, boolean",
    ledger_hold: "uuid, text, bigint",
    ledger_settle: "uuid, text, text, bigint, text",
    charge_ended_call: "",
  };
  type Where = keyof typeof functions;
  type Check = (count: number) => Promise<{ failed: boolean }>;
  const bugs: [what: string, where: Where, right: string, wrong: string, shownBy?: Check][] = [
    ["posts a key that is taken", "ledger_post", "and one_after is not null", "and false"],
    [
      "posts without waiting for its turn",
      "ledger_post",
      "balance = balance + change_of_one",
      "balance = (select balance from public.ledger_accounts where organisation_id = org and account = one) + change_of_one",
    ],
    ["accepts a key that was used for another sum", "ledger_post", "earlier.amount)", "sum)"],
    ["takes nothing from the account", "ledger_post", "then -sum", "then 0"],
    ["gives the account twice as much", "ledger_post", "balance - change_of_one", "balance - 2 * change_of_one"],
    ["spends what is held", "ledger_post", "balance - held >= sum", "balance >= sum"],
    [
      "writes the wrong balance on the entry",
      "ledger_post",
      "then other_after else one_after",
      "then one_after else one_after",
    ],
    ["holds what there is not", "ledger_hold", "greatest(balance - held, 0) >= missing", "true"],
    ["holds the whole again when it grows", "ledger_hold", "sum - coalesce(earlier.amount, 0)", "sum"],
    ["keeps what it held", "ledger_settle", "held = held - hold.amount", "held = held"],
    ["settles twice", "ledger_settle", "hold.state <> 'open'", "false"],
    ["charges what others have held", "ledger_settle", "greatest(balance - held, 0)", "balance"],
    ["loses what the balance does not cover", "ledger_settle", "if sum > covered", "if false"],
    ["charges a metered call nothing", "charge_ended_call", "new.cost_micros > 0", "false", checkCommands],
    ["refuses a refund below zero", "ledger_post", "always or source", "source", checkCommands],
  ];
  test.each(bugs)("show a ledger that %s", async (_, where, right, wrong, shownBy = checkOperations) => {
    const signature = `${where}(${functions[where]})`;
    const [row] = await asSuperuser([`select pg_get_functiondef('${signature}'::regprocedure) as text`], own.name);
    const text = String(row?.text);
    const planted = text.replace(right, wrong);
    expect(planted).not.toBe(text);
    try {
      await asSuperuser([planted], own.name);
      expect((await shownBy(2_400)).failed).toBe(true);
    } finally {
      await asSuperuser([text], own.name);
    }
  });
});

test("an entry can't be changed, deleted or truncated, not even by the database's owner", async () => {
  const organisationId = await newLedger();
  await database.withTransaction({ organisationId }, (tx) =>
    postTransfer(tx, { organisationId, key: "a", kind: "test", from: "payments", to: "balance", amountMicros: 5 }),
  );
  const tries = [
    sql`update ledger_transfers set amount = 6`,
    sql`delete from ledger_transfers`,
    sql`delete from ledger_accounts`,
  ];
  for (const one of tries)
    await expect(database.withTransaction({ organisationId }, (tx) => one.execute(tx))).rejects.toThrow(/append-only/);
  for (const statement of ["update ledger_transfers set amount = 6", "truncate ledger_transfers"])
    await expect(asSuperuser([statement], own.name)).rejects.toThrow(/append-only/);
});
