import type { BillingSummary, StatementEntry } from "@leadline/contract/billing";
import type { PhoneNumber } from "@leadline/contract/phone-numbers";
import type { ProvisionerModule } from "@leadline/adapter-kit/provisioner";
import { expect, test, vi } from "vitest";
import { carrierModules, provisioners } from "../../../adapters.ts";
import { createLog } from "../../../log.ts";
import { createMailedLinks } from "../../../mail/mailed-links.ts";
import { buyNumber, connectAccount } from "../../../testing/connect-account.ts";
import { ownVendorSandboxes } from "../../../testing/own-vendor-sandboxes.ts";
import { newRep, type Rep, testAppWithCalls } from "../../../testing/test-calls.ts";
import { mailRenewalsJob } from "./mail-renewals.ts";
import { renewNumbers } from "./renew-numbers.ts";

const { databaseUrl, sandboxes } = await ownVendorSandboxes();
/** The process is killed after so many purchases at the vendor, before it stores them. */
let kills = 0;
const modules = provisioners.map(({ module }): ProvisionerModule => ({
  ...module,
  async open(key, options) {
    const provisioner = await module.open(key, options);
    return {
      ...provisioner,
      async buy(intent) {
        const bought = await provisioner.buy(intent);
        kills -= 1;
        if (kills >= 0) throw new Error("killed");
        return bought;
      },
    };
  },
}));
const app = testAppWithCalls(carrierModules, {
  databaseUrl,
  accounts: () => ({ sandboxes, modules, publicAddress: async () => null, resumeEveryMs: 100 }),
});

const get = async (rep: Rep, path: `/${string}`) => (await app.ask("GET", path, { token: rep.token })).json();
const entriesOf = async (rep: Rep): Promise<StatementEntry[]> =>
  (await get(rep, "/v1/billing/entries?kind=number")).entries;
const setMode = (rep: Rep, mode: BillingSummary["mode"]) =>
  app.ask("PUT", "/v1/billing/mode", { token: rep.token, body: { mode, currentPassword: rep.password } });

async function connected(vendor = provisioners[0]?.module.id ?? "") {
  const sandbox = sandboxes.get(vendor);
  if (!sandbox) throw new Error("There is no vendor's sandbox.");
  const rep = await newRep(app);
  return { rep, account: await connectAccount(app, rep, { vendor, sandbox }) };
}

function renew(at: string): Promise<void> {
  const log = createLog("fatal");
  const links = createMailedLinks(() => Buffer.alloc(32), Promise.resolve("https://phone.example.com"));
  const mailer = { delivers: false, send: () => Promise.reject(new Error("no mail is due")), close: () => {} };
  const mail = mailRenewalsJob({ database: app.database, mailer, links });
  const jobs = { enqueue: () => Promise.reject(new Error("no mail is due")) };
  return renewNumbers({ database: app.database, jobs, mail, log }, { at });
}

test("a metered organisation's cost has its own account's numbers, on the day of purchase and monthly, each month once", async () => {
  const { rep, account } = await connected();
  await buyNumber(app, rep, account);
  const [own]: PhoneNumber[] = await get(rep, "/v1/phone-numbers");
  const fee = own?.monthlyCost ?? 0;
  expect(fee).toBeGreaterThan(0);
  const counted = { kind: "number", account: "carrier", amountMicros: -fee, phoneNumber: own?.number };
  expect(await entriesOf(rep)).toMatchObject([counted]);
  const summary = () => get(rep, "/v1/billing/summary");
  expect(await summary()).toMatchObject({ balanceMicros: 0, monthCostMicros: fee });
  await app.database.withTransaction(rep, (tx) =>
    tx
      .updateTable("phone_numbers")
      .set({ acquired_at: "2026-01-31T12:00:00Z" })
      .where("id", "=", own?.id ?? "")
      .execute(),
  );
  for (const [at, months] of [
    ["2026-02-27T12:00:00Z", 1],
    ["2026-02-28T12:00:00Z", 2],
    // The server was down in March.
    ["2026-04-30T12:00:00Z", 4],
  ] as const) {
    await Promise.all([renew(at), renew(at)]);
    expect([at, await entriesOf(rep)]).toMatchObject([at, Array.from({ length: months }, () => counted)]);
  }
  // While it is prepaid, its balance pays for nothing that the carrier bills, and nothing is counted afterwards.
  await setMode(rep, "prepaid");
  await renew("2026-06-30T12:00:00Z");
  await setMode(rep, "metered");
  await renew("2026-06-30T12:00:00Z");
  expect(await entriesOf(rep)).toHaveLength(4);
  expect(await summary()).toMatchObject({ balanceMicros: 0, monthCostMicros: 4 * fee });
});

test("a purchase that is resumed after a kill is counted once", async () => {
  const { rep, account } = await connected();
  kills = 2;
  await expect(buyNumber(app, rep, account)).rejects.toThrow("The number wasn't bought");
  await vi.waitFor(async () => expect(await get(rep, "/v1/phone-numbers")).toHaveLength(1), { timeout: 30_000 });
  const [own]: PhoneNumber[] = await get(rep, "/v1/phone-numbers");
  expect(await entriesOf(rep)).toMatchObject([{ amountMicros: -(own?.monthlyCost ?? 0), phoneNumber: own?.number }]);
});

test("what a carrier charges once is counted with the number's first month, and not with later ones", async () => {
  const upfront: number[] = [];
  for (const { module } of provisioners) {
    const { rep, account } = await connected(module.id);
    const [offered] = await get(rep, `/v1/phone-numbers/available?countryCode=US&accountId=${account.id}`);
    const number = await buyNumber(app, rep, account);
    expect(number).toBe(offered.number);
    const once: number = offered.upfrontCost ?? 0;
    upfront.push(once);
    const entry = { phoneNumber: number, amountMicros: -(offered.monthlyCost + once) };
    expect(await entriesOf(rep)).toMatchObject([entry]);
    const [own]: PhoneNumber[] = await get(rep, "/v1/phone-numbers");
    await app.database.withTransaction(rep, (tx) =>
      tx
        .updateTable("phone_numbers")
        .set({ acquired_at: "2026-01-31T12:00:00Z" })
        .where("id", "=", own?.id ?? "")
        .execute(),
    );
    await renew("2026-02-28T12:00:00Z");
    const later = { ...entry, amountMicros: -offered.monthlyCost };
    expect(await entriesOf(rep)).toEqual(
      expect.arrayContaining([entry, later].map((each) => expect.objectContaining(each))),
    );
  }
  expect(Math.max(...upfront)).toBeGreaterThan(0);
});
