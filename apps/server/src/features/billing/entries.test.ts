import { randomUUID } from "node:crypto";
import { carrier as sandbox } from "@leadline/carrier-sandbox/server";
import type { BillingSummary, StatementEntry } from "@leadline/contract/billing";
import { describe, expect, test } from "vitest";
import { migrate } from "../../db/migrate.ts";
import { postTransfer } from "../../testing/post-transfer.ts";
import { asSuperuser, ownDatabase } from "../../testing/own-database.ts";
import { adjustBalance } from "../../testing/set-balance.ts";
import { sandboxLine } from "../../testing/sandbox-line.ts";
import { dial, newRep, type Rep, testAppWithCalls, waitForStatus } from "../../testing/test-calls.ts";

const { kind, line } = sandboxLine();
const app = testAppWithCalls([sandbox, line]);
const price = 13_000;
const speaking = "+12025550100";

async function newPayingRep(): Promise<Rep> {
  const rep = await newRep(app);
  const body = { kind, label: "Line", settings: { line: "1" }, pricePerMinute: price };
  await app.ask("POST", "/v1/carriers", { token: rep.token, body });
  return rep;
}
const summaryOf = async (rep: Rep): Promise<BillingSummary> =>
  (await app.ask("GET", "/v1/billing/summary", { token: rep.token })).json();
const entriesOf = async (rep: Rep, query = ""): Promise<{ entries: StatementEntry[]; hasMore: boolean }> =>
  (await app.ask("GET", `/v1/billing/entries?${query}`, { token: rep.token })).json();
const hangUp = (rep: Rep, callSid: string) => app.ask("POST", `/v1/calls/${callSid}/hang-up`, { token: rep.token });
const inLedgerOf = <T>(rep: Rep, work: Parameters<typeof app.database.withTransaction<T>>[1]) =>
  app.database.withTransaction({ organisationId: rep.organisationId }, work);

describe("an answered call", () => {
  test("is charged once when it ends, and the call, the entry and the month agree", async () => {
    const rep = await newPayingRep();
    const callSid = await dial(app, rep, speaking);
    await waitForStatus(app, rep, { callSid, status: "in-progress" });
    expect(await summaryOf(rep)).toMatchObject({ mode: "metered", balanceMicros: 0, monthCostMicros: 0 });
    const answers = await Promise.all([hangUp(rep, callSid), hangUp(rep, callSid), hangUp(rep, callSid)]);
    expect(answers[0].json()).toMatchObject({ costMicros: price });
    const charge = { kind: "call", account: "carrier", amountMicros: -price, runningMicros: -price, callSid };
    expect(await entriesOf(rep)).toMatchObject({
      entries: [{ ...charge, phoneNumber: speaking, userName: "Robin Tester" }],
      hasMore: false,
    });
    expect(await summaryOf(rep)).toMatchObject({ balanceMicros: 0, heldMicros: 0, monthCostMicros: price });
  });

  test("that was not answered leaves no entry", async () => {
    const rep = await newPayingRep();
    const callSid = await dial(app, rep, "+12025550104");
    await waitForStatus(app, rep, { callSid, status: "ringing" });
    await hangUp(rep, callSid);
    expect(await entriesOf(rep)).toEqual({ entries: [], hasMore: false });
  });
});

describe("the statement's entries", () => {
  const post = (rep: Rep, key: string, what: { kind: string; amountMicros: number; to?: "balance" }) =>
    inLedgerOf(rep, (tx) => {
      const way =
        what.to === undefined
          ? { from: "metered" as const, to: "costs" as const }
          : { from: "payments" as const, to: what.to };
      return postTransfer(tx, { organisationId: rep.organisationId, key, ...way, ...what });
    });

  test("are listed page by page, newest first, each with the balance after it", async () => {
    const rep = await newRep(app);
    for (let n = 1; n <= 51; n += 1) await post(rep, `${n}`, { kind: "call", amountMicros: n });
    const first = await entriesOf(rep);
    expect(first.entries.map(({ amountMicros }) => -amountMicros)).toEqual(
      Array.from({ length: 50 }, (_, at) => 51 - at),
    );
    expect([first.entries[0]?.runningMicros, first.hasMore]).toEqual([-(51 * 52) / 2, true]);
    const second = await entriesOf(rep, `before=${first.entries.at(-1)?.id}`);
    expect(second).toMatchObject({ entries: [{ amountMicros: -1, runningMicros: -1 }], hasMore: false });
  });

  test("are filtered by kind and by month, in the list as in the CSV", async () => {
    const rep = await newRep(app);
    await post(rep, "a", { kind: "number", amountMicros: 1_150_000 });
    await post(rep, "b", { kind: "top-up", amountMicros: 20_000_000, to: "balance" });
    const { month } = await summaryOf(rep);
    expect((await entriesOf(rep, "kind=top-up")).entries).toMatchObject([
      { kind: "top-up", account: "balance", amountMicros: 20_000_000, runningMicros: 20_000_000 },
    ]);
    expect((await entriesOf(rep, `month=${month}`)).entries).toHaveLength(2);
    expect((await entriesOf(rep, "month=2020-01")).entries).toEqual([]);
    const file = await app.ask("GET", `/v1/billing/entries/export?month=${month}&kind=number`, { token: rep.token });
    expect(file.headers["content-disposition"]).toContain(`statement-${month}.csv`);
    const lines = file.body.trim().split("\n");
    expect(lines).toHaveLength(2);
    expect(lines[1]).toContain('"number","","","carrier","-1.15","-1.15",""');
  });

  test("are narrowed to days on the organisation's clock, in the list as in the CSV", async () => {
    const rep = await newRep(app);
    const { organisationId } = rep;
    const body = { timeZone: "America/New_York" };
    await app.ask("PUT", `/v1/organisations/${organisationId}`, { token: rep.token, body });
    const times = ["2026-03-05T04:59:59Z", "2026-03-05T05:00:00Z", "2026-03-07T04:59:59Z", "2026-03-07T05:00:00Z"];
    const way = { from_account: "metered", to_account: "costs", amount: 1, from_balance: 0, to_balance: 0 } as const;
    await inLedgerOf(rep, (tx) =>
      tx
        .insertInto("ledger_transfers")
        .values(times.map((at) => ({ organisation_id: organisationId, key: at, kind: "call", posted_at: at, ...way })))
        .execute(),
    );
    const days = "month=2026-03&from=2026-03-05&to=2026-03-06";
    const { entries } = await entriesOf(rep, days);
    expect(entries.map(({ postedAt }) => new Date(postedAt).toISOString().slice(0, 19))).toEqual([
      "2026-03-07T04:59:59",
      "2026-03-05T05:00:00",
    ]);
    expect((await entriesOf(rep, "month=2026-03&from=2026-03-06")).entries).toHaveLength(2);
    const file = await app.ask("GET", `/v1/billing/entries/export?${days}`, { token: rep.token });
    expect(file.headers["content-disposition"]).toContain("statement-2026-03-from-2026-03-05-to-2026-03-06.csv");
    expect(file.body.trim().split("\n")).toHaveLength(3);
    for (const wrong of ["from=2026-13-01", "to=yesterday"])
      expect((await app.ask("GET", `/v1/billing/entries?${wrong}`, { token: rep.token })).statusCode).toBe(422);
  });

  test("of an earlier month don't count towards this one", async () => {
    const rep = await newRep(app);
    const { organisationId } = rep;
    await inLedgerOf(rep, async (tx) => {
      const way = {
        from_account: "metered",
        to_account: "costs",
        amount: 70,
        from_balance: -70,
        to_balance: 70,
      } as const;
      const past = { organisation_id: organisationId, key: "past", kind: "call", posted_at: "2026-01-31T12:00:00Z" };
      await tx
        .insertInto("ledger_transfers")
        .values({ ...past, ...way })
        .execute();
      for (const [account, balance] of [
        ["metered", -70],
        ["costs", 70],
      ] as const)
        await tx
          .updateTable("ledger_accounts")
          .set({ balance })
          .where("organisation_id", "=", organisationId)
          .where("account", "=", account)
          .execute();
    });
    await post(rep, "now", { kind: "call", amountMicros: 30 });
    expect((await summaryOf(rep)).monthCostMicros).toBe(30);
  });
});

test("an organisation's balance is the ledger's, wherever it is shown", async () => {
  const rep = await newRep(app);
  await adjustBalance(app.database, { organisationId: rep.organisationId, balanceMicros: 12_345_678 });
  const read = async (path: string) => (await app.ask("GET", path, { token: rep.token })).json();
  expect((await read("/v1/organisations"))[0].balance).toBe(12_345_678);
  expect((await read(`/v1/organisations/${rep.organisationId}`)).balance).toBe(12_345_678);
  expect((await read("/v1/users/me")).activeOrganisation.balance).toBe(12_345_678);
  expect((await read("/v1/billing/statement")).balanceMicros).toBe(12_345_678);
  expect((await summaryOf(rep)).balanceMicros).toBe(12_345_678);
});

test("costs and balances from before the ledger existed become its entries", async () => {
  const own = await ownDatabase();
  try {
    await migrate(own.url, "0009-lead-owners");
    const [owing, calling] = [randomUUID(), randomUUID()];
    await asSuperuser(
      [
        "set session_replication_role = replica",
        `insert into organisations (id, name, balance) values ('${owing}', 'Owing', -5), ('${calling}', 'Calling', 40)`,
        ...[
          ["a", 30],
          ["b", 0],
          ["c", 12],
        ].map(
          ([sid, cost], at) => `insert into calls (call_sid, organisation_id, user_id, direction, status, phone_number,
            phone_number_typed, carrier, answered_at, ended_at, duration_ms, cost_micros, reason, process_key)
            values ('${sid}', '${calling}', '${randomUUID()}', 'outbound', 'completed', '+1', '+1', 'sandbox',
              '2026-03-0${at + 1}', '2026-03-0${at + 1}', 1, ${cost}, 'hung-up-here', 0)`,
        ),
      ],
      own.name,
    );
    await migrate(own.url);
    const accounts = (id: string) =>
      asSuperuser(
        [
          `select account, balance::int from ledger_accounts where organisation_id = '${id}' and balance <> 0 order by 1`,
        ],
        own.name,
      );
    expect(await accounts(owing)).toEqual([
      { account: "adjustments", balance: 5 },
      { account: "balance", balance: -5 },
    ]);
    expect(await accounts(calling)).toEqual([
      { account: "adjustments", balance: -40 },
      { account: "balance", balance: 40 },
      { account: "costs", balance: 42 },
      { account: "metered", balance: -42 },
    ]);
    const calls = `select call_sid, to_balance::int, posted_at::date::text as day from ledger_transfers where kind = 'call' order by id`;
    expect(await asSuperuser([calls], own.name)).toEqual([
      { call_sid: "a", to_balance: 30, day: "2026-03-01" },
      { call_sid: "c", to_balance: 42, day: "2026-03-03" },
    ]);
  } finally {
    await own.drop();
  }
});
