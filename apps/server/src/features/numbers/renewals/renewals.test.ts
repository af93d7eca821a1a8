import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { BillingSummary } from "@leadline/contract/billing";
import type { NumberRenewals, PhoneNumber } from "@leadline/contract/phone-numbers";
import type { z } from "zod";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createLog } from "../../../log.ts";
import { createMailer, type Mailer } from "../../../mail/create-mailer.ts";
import { createMailedLinks } from "../../../mail/mailed-links.ts";
import { leadlineChanges } from "../../../testing/leadline-changes.ts";
import { startMailServer } from "../../../testing/mail-server.ts";
import { ownMigratedDatabase } from "../../../testing/own-database.ts";
import { adjustBalance } from "../../../testing/set-balance.ts";
import { newRep, type Rep, testAppWithCalls } from "../../../testing/test-calls.ts";
import { chargeForNumber } from "../../ledger/pay-for-number.ts";
import { mailRenewalsJob } from "./mail-renewals.ts";
import { renewNumbers } from "./renew-numbers.ts";

// Renewals cover all organisations, including another suite's.
const database = await ownMigratedDatabase();
// Registered before the app’s own, so it runs after the app has closed.
afterAll(() => database.drop());
const app = testAppWithCalls(undefined, { databaseUrl: database.url });
const log = createLog("fatal");
let server: Awaited<ReturnType<typeof startMailServer>>;
let mailer: Mailer;
beforeAll(async () => {
  server = await startMailServer();
  mailer = createMailer({ smtpUrl: server.url, mailFrom: "Leadline <phone@example.com>", dataDir: "" }, log);
});
afterAll(async () => {
  mailer.close();
  await server.close();
});

const links = createMailedLinks(() => Buffer.alloc(32), Promise.resolve("https://phone.example.com"));
const mail = () => mailRenewalsJob({ database: app.database, mailer, links });
type Ordered = z.output<ReturnType<typeof mail>["schema"]>;
/** Returns the mails that it orders. */
async function renew(at: string): Promise<Ordered[]> {
  const ordered: Ordered[] = [];
  const job = mail();
  const jobs = {
    enqueue: async (_tx: unknown, _job: unknown, data: object) => void ordered.push(job.schema.parse(data)),
  };
  await renewNumbers({ database: app.database, jobs, mail: job, log }, { at });
  return ordered;
}

const price = 1_150_000;
const get = async (rep: Rep, path: `/${string}`) => (await app.ask("GET", path, { token: rep.token })).json();
const renewalsOf = async (rep: Rep): Promise<NumberRenewals> =>
  (await app.ask("GET", "/v1/phone-numbers/renewals", { token: rep.token })).json();
const charges = async (rep: Rep): Promise<{ amountMicros: number; phoneNumber: string }[]> =>
  (await get(rep, "/v1/billing/entries?kind=number")).entries;
const balanceOf = async (rep: Rep): Promise<number> => {
  const summary: BillingSummary = await get(rep, "/v1/billing/summary");
  return summary.balanceMicros - summary.heldMicros;
};
const buy = (rep: Rep, number: string, key = randomUUID()) =>
  app.ask("POST", "/v1/phone-numbers", {
    token: rep.token,
    body: { number },
    headers: { "idempotency-key": key },
  });
const forSale = async (rep: Rep): Promise<string> =>
  (await get(rep, "/v1/phone-numbers/available?countryCode=GB&query=0161"))[0].number;

async function newPrepaidRep(balanceMicros: number): Promise<Rep> {
  const rep = await newRep(app);
  await app.ask("PUT", "/v1/billing/mode", { token: rep.token, body: { mode: "prepaid" } });
  await adjustBalance(app.database, { ...rep, balanceMicros });
  return rep;
}
async function bought(rep: Rep, acquiredAt: string): Promise<PhoneNumber> {
  const answer = await buy(rep, await forSale(rep));
  expect(answer.statusCode).toBe(201);
  const number: PhoneNumber = answer.json();
  await app.database.withTransaction({ organisationId: rep.organisationId }, (tx) =>
    tx.updateTable("phone_numbers").set({ acquired_at: acquiredAt }).where("id", "=", number.id).execute(),
  );
  return number;
}
const setBalance = (rep: Rep, balanceMicros: number) => adjustBalance(app.database, { ...rep, balanceMicros });

describe("a prepaid organisation", () => {
  test("pays a number's first month once when it buys it, however often it is asked, or is refused", async () => {
    const rep = await newPrepaidRep(price - 1);
    const number = await forSale(rep);
    const refused = await buy(rep, number);
    expect([refused.statusCode, refused.json().detail]).toEqual([
      402,
      `Your organisation’s balance doesn’t cover the first month of ${number} ($1.15). Top up under Settings, Billing.`,
    ]);
    expect(await get(rep, "/v1/phone-numbers")).toEqual([]);
    await setBalance(rep, price);
    const key = randomUUID();
    const answers = await Promise.all([buy(rep, number, key), buy(rep, number, key)]);
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([201, 201]);
    expect(await charges(rep)).toMatchObject([{ amountMicros: -price, phoneNumber: number }]);
    expect(await balanceOf(rep)).toBe(0);
  });

  test("pays on the same day of each month, or the last of shorter ones, and catches up on months when the server was down", async () => {
    const rep = await newPrepaidRep(10 * price);
    const { id, number } = await bought(rep, "2026-01-31T12:00:00Z");
    for (const [at, months, next] of [
      ["2026-02-27T23:59:00Z", 1, "2026-02-28"],
      ["2026-02-28T00:10:00Z", 2, "2026-03-31"],
      ["2026-02-28T12:00:00Z", 2, "2026-03-31"],
      ["2026-03-30T12:00:00Z", 2, "2026-03-31"],
      ["2026-03-31T12:00:00Z", 3, "2026-04-30"],
      // The server was down in May and June.
      ["2026-07-01T12:00:00Z", 6, "2026-07-31"],
    ] as const) {
      await renew(at);
      expect([at, (await charges(rep)).length]).toEqual([at, months]);
      expect((await renewalsOf(rep)).renewals).toMatchObject([{ id, renewsOn: next, releaseOn: null }]);
    }
    expect(await charges(rep)).toContainEqual(expect.objectContaining({ phoneNumber: number, amountMicros: -price }));
    expect(await balanceOf(rep)).toBe(4 * price);
    const renewal = { kind: "phone_numbers", subject: number, operation: "changed" };
    expect(await leadlineChanges(app, rep)).toMatchObject(
      [6, 5, 4, 3, 2].map((month) => ({
        action: "phone-number.renewed",
        changes: [{ ...renewal, before: { paid_periods: month - 1 }, after: { paid_periods: month } }],
      })),
    );
  });

  test("pays on days of its own time zone, counted from the day there on which it bought the number", async () => {
    const rep = await newPrepaidRep(10 * price);
    const body = { timeZone: "America/New_York" };
    await app.ask("PUT", `/v1/organisations/${rep.organisationId}`, { token: rep.token, body });
    // Still the 31st there, and the 1st in UTC.
    await bought(rep, "2026-02-01T04:30:00Z");
    for (const [at, months] of [
      ["2026-02-28T04:59:00Z", 1],
      ["2026-02-28T05:01:00Z", 2],
      ["2026-03-31T03:59:00Z", 2],
      ["2026-03-31T04:01:00Z", 3],
    ] as const) {
      await renew(at);
      expect([at, (await charges(rep)).length]).toEqual([at, months]);
    }
  });

  test("pays a month once, even if two transactions find it due", async () => {
    const rep = await newPrepaidRep(10 * price);
    const { organisationId } = rep;
    const { id: numberId } = await bought(rep, "2026-01-31T12:00:00Z");
    const month = { organisationId, numberId, period: 1, micros: price };
    for (let again = 0; again < 2; again++)
      await app.database.withTransaction({ organisationId }, (tx) => chargeForNumber(tx, month));
    expect(await charges(rep)).toHaveLength(2);
    expect(await balanceOf(rep)).toBe(8 * price);
  });

  test("pays nothing for months in which it was metered", async () => {
    const rep = await newRep(app);
    await bought(rep, "2026-01-15T12:00:00Z");
    await renew("2026-04-15T12:00:00Z");
    expect(await charges(rep)).toEqual([]);
    await app.ask("PUT", "/v1/billing/mode", { token: rep.token, body: { mode: "prepaid" } });
    await setBalance(rep, 5 * price);
    await renew("2026-05-15T12:00:00Z");
    expect(await charges(rep)).toHaveLength(1);
  });

  test("is notified a week before and again if it can't pay, keeps the number for a week, and then loses it", async () => {
    const rep = await newPrepaidRep(price);
    const { id, number } = await bought(rep, "2026-01-10T12:00:00Z");
    expect(await renew("2026-02-02T12:00:00Z")).toEqual([]);
    const first = await renew("2026-02-03T12:00:00Z");
    const told = { organisationId: rep.organisationId, userId: rep.id, numberIds: [id] };
    expect(first).toEqual([{ ...told, what: "renews-soon" }]);
    expect(await renew("2026-02-04T12:00:00Z")).toEqual([]);
    expect((await renewalsOf(rep)).dueSoon).toEqual({ micros: price, isCovered: false });
    const second = await renew("2026-02-12T12:00:00Z");
    expect(second).toEqual([{ ...told, what: "unpaid" }]);
    expect((await renewalsOf(rep)).renewals).toMatchObject([{ id, releaseOn: "2026-02-19" }]);
    for (const data of [...first, ...second]) await mail().run(data, { enqueue: async () => {} });
    expect(await renew("2026-02-19T11:00:00Z")).toEqual([]);
    expect(await get(rep, "/v1/phone-numbers")).toMatchObject([{ id }]);
    const last = await renew("2026-02-19T13:00:00Z");
    expect(last).toEqual([{ ...told, what: "released" }]);
    expect(await get(rep, "/v1/phone-numbers")).toEqual([]);
    for (const data of last) await mail().run(data, { enqueue: async () => {} });
    const mails = server.received.filter(({ to }) => to === rep.email).map(({ text }) => text);
    expect(mails).toHaveLength(3);
    expect(mails[0]).toContain("t cover this. Top up before then.");
    for (const text of mails) expect(text).toContain(number);
    expect(await charges(rep)).toHaveLength(1);
    const changes = (await leadlineChanges(app, rep)).map(({ action }) => action);
    expect(changes).toEqual(["phone-number.released", "phone-number.unpaid"]);
  });

  test("keeps a number that costs nothing, even if its balance is below zero", async () => {
    const rep = await newPrepaidRep(price);
    const { id } = await bought(rep, "2026-01-10T12:00:00Z");
    await app.database.withTransaction({ organisationId: rep.organisationId }, (tx) =>
      tx.updateTable("phone_numbers").set({ monthly_cost: 0 }).where("id", "=", id).execute(),
    );
    await setBalance(rep, -1);
    for (const at of ["2026-02-10T12:00:00Z", "2026-02-20T12:00:00Z"]) expect(await renew(at)).toEqual([]);
    expect((await renewalsOf(rep)).renewals).toMatchObject([{ id, renewsOn: "2026-03-10", releaseOn: null }]);
    expect(await balanceOf(rep)).toBe(-1);
  });

  test("gets one mail about all numbers that it can't pay, and one about all that it loses", async () => {
    const rep = await newPrepaidRep(2 * price);
    const numbers = [await bought(rep, "2026-01-10T12:00:00Z"), await bought(rep, "2026-01-11T12:00:00Z")];
    const numberIds = expect.toSatisfy(
      (ids: string[]) =>
        ids.toSorted().join() ===
        numbers
          .map(({ id }) => id)
          .toSorted()
          .join(),
    );
    await renew("2026-02-09T12:00:00Z");
    expect(await renew("2026-02-12T12:00:00Z")).toEqual([expect.objectContaining({ what: "unpaid", numberIds })]);
    expect(await renew("2026-02-20T12:00:00Z")).toEqual([expect.objectContaining({ what: "released", numberIds })]);
  });

  test("that tops up in time keeps the number, and gets no outdated mail", async () => {
    const rep = await newPrepaidRep(price);
    await bought(rep, "2026-03-10T12:00:00Z");
    const unpaid = (await renew("2026-04-10T12:00:00Z")).filter(({ what }) => what === "unpaid");
    await setBalance(rep, price);
    await renew("2026-04-16T12:00:00Z");
    for (const data of unpaid) await mail().run(data, { enqueue: async () => {} });
    expect(server.received.filter(({ to }) => to === rep.email)).toEqual([]);
    expect((await renewalsOf(rep)).renewals).toMatchObject([{ renewsOn: "2026-05-10", releaseOn: null }]);
    expect(await charges(rep)).toHaveLength(2);
    // The second unpaid month has a week of its own.
    await renew("2026-05-10T12:00:00Z");
    await renew("2026-05-11T12:00:00Z");
    expect(await get(rep, "/v1/phone-numbers")).toHaveLength(1);
  });
});

async function dieWhile(death: object): Promise<void> {
  const script = fileURLToPath(new URL("../../../testing/dying-renewal-worker.ts", import.meta.url));
  const given = JSON.stringify({ databaseUrl: database.url, ...death });
  const dying = spawn(process.execPath, [script, given], { stdio: ["ignore", "ignore", "inherit"] });
  expect(await once(dying, "exit")).toEqual([null, "SIGKILL"]);
}

test.each([
  ["before the commit", 1],
  ["after the commit", 1],
  ["before the commit", 2],
  ["after the commit", 2],
] as const)("a renewal killed %s of month %i is charged once", async (dies, nth) => {
  const rep = await newPrepaidRep(10 * price);
  await bought(rep, "2026-01-20T12:00:00Z");
  const at = "2026-03-20T12:00:00Z";
  const { organisationId } = rep;
  await dieWhile({ at, dies, nth, organisationId });
  await Promise.all([renew(at), renew(at)]);
  expect(await charges(rep)).toHaveLength(3);
  expect(await balanceOf(rep)).toBe(7 * price);
  await setBalance(rep, 0);
  const late = "2026-04-20T12:00:00Z";
  await dieWhile({ at: late, dies: "before the commit", nth: 1, organisationId });
  const orders = (await Promise.all([renew(late), renew(late)])).flat();
  expect(orders.filter((each) => each.organisationId === organisationId)).toMatchObject([{ what: "unpaid" }]);
});
