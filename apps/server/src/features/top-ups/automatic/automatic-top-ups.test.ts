import { randomUUID } from "node:crypto";
import { PaymentError, type PaymentModule, type SavedMethods } from "@leadline/adapter-kit/payment";
import type { PaymentLab } from "@leadline/adapter-kit/payment-conformance";
import type { BalanceSettings, TopUp } from "@leadline/contract/top-ups";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { createLog } from "../../../log.ts";
import { createMailer, type Mailer } from "../../../mail/create-mailer.ts";
import { createMailedLinks } from "../../../mail/mailed-links.ts";
import { leadlineChanges } from "../../../testing/leadline-changes.ts";
import { startMailServer } from "../../../testing/mail-server.ts";
import { paymentLabs } from "../../../testing/payment-labs.ts";
import { adjustBalance } from "../../../testing/set-balance.ts";
import {
  joinOrganisation,
  makeOrganisation,
  registerPerson,
  testApp,
  testSeller,
  type TestPerson,
} from "../../../testing/test-app.ts";
import { openPayments } from "../open-payments.ts";
import { resumeTopUps } from "../resume-top-ups.ts";
import { receiveReport, settleTopUp } from "../settle-top-up.ts";
import type { TopUpDeps } from "../top-up-deps.ts";
import { readBalanceSettings } from "./balance-settings.table.ts";
import { mailBalanceJob, orderBalanceMailsJob } from "./mail-balance.ts";
import { startAutomaticTopUps } from "./start-automatic-top-ups.ts";

const automatic = { belowMicros: 10_000_000, amountMicros: 50_000_000, monthLimitMicros: 120_000_000 };

describe.each(Object.entries(paymentLabs))("with %s payments, an automatic top-up", (_, startLab) => {
  let lab: PaymentLab;
  let loses: "requests" | "answers" | null = null;
  // Other suites share the database: this one only charges its own organisations.
  const module: PaymentModule = {
    id: `lab-${randomUUID()}`,
    name: "Lab",
    settings: z.object({}),
    open(_settings, { onReport }) {
      const opened = lab.open(onReport);
      const { savedMethods } = opened;
      if (!savedMethods) throw new Error("it charges nothing");
      const charge: SavedMethods["charge"] = async (wanted) => {
        const charged = loses === "requests" ? null : await savedMethods.charge(wanted);
        if (loses !== null || !charged) throw new PaymentError("unreachable", "The answer was lost.");
        return charged;
      };
      return { ...opened, savedMethods: { ...savedMethods, charge } };
    },
  };
  beforeAll(async () => {
    lab = await startLab();
  });
  const app = testApp(undefined, undefined, [module]);
  afterAll(() => lab.close());

  /** Another process of the installation. */
  function newProcess(): TopUpDeps {
    const log = createLog("silent");
    const onReport = (report: { eventId: string; reference: string }) => receiveReport(deps, report);
    const payments = openPayments([module], { environment: {}, dataDir: null, onReport, log });
    const deps: TopUpDeps = { database: app.database, payments, seller: testSeller, log };
    return deps;
  }
  const runOnce = () => startAutomaticTopUps(newProcess());
  const get = async (by: TestPerson): Promise<BalanceSettings> =>
    (await app.ask("GET", "/v1/billing/balance-settings", { token: by.token })).json();
  const put = (by: TestPerson, body: object) =>
    app.ask("PUT", "/v1/billing/balance-settings", { token: by.token, body });
  const topUps = async (by: TestPerson): Promise<TopUp[]> =>
    (await app.ask("GET", "/v1/billing/top-ups", { token: by.token })).json().topUps;
  const settleAll = async (by: Owner) => {
    for (const { id } of await topUps(by)) await settleTopUp(newProcess(), { ...by, id });
  };
  const automaticOnes = async (by: TestPerson) =>
    (await topUps(by)).filter(({ isAutomatic }) => isAutomatic).map(({ state }) => state);
  const setBalance = (by: Owner, balanceMicros: number) =>
    adjustBalance(app.database, { organisationId: by.organisationId, balanceMicros });
  const balance = async (by: TestPerson): Promise<number> =>
    (await app.ask("GET", "/v1/billing/summary", { token: by.token })).json().balanceMicros;

  type Owner = TestPerson & { organisationId: string };
  /** Prepaid, with a payment method saved by a paid top-up. */
  async function ownerWithSavedMethod(): Promise<{ owner: Owner; checkout: { id: string; url: string } }> {
    const person = await registerPerson(app);
    const owner = { ...person, organisationId: (await makeOrganisation(app, person)).id };
    await app.ask("PUT", "/v1/billing/mode", { token: owner.token, body: { mode: "prepaid" } });
    return { owner, checkout: await payAndSaveMethod(owner) };
  }

  async function payAndSaveMethod(owner: Owner): Promise<{ id: string; url: string }> {
    const headers = { "idempotency-key": randomUUID() };
    const body = { amountMicros: 20_000_000, savesMethod: true };
    const topUp: TopUp = (await app.ask("POST", "/v1/billing/top-ups", { token: owner.token, body, headers })).json();
    const scope = { organisationId: owner.organisationId };
    const { checkout_id } = await app.database.withTransaction(scope, (tx) =>
      tx.selectFrom("top_ups").select("checkout_id").where("id", "=", topUp.id).executeTakeFirstOrThrow(),
    );
    const checkout = { id: checkout_id ?? "", url: topUp.checkoutUrl ?? "" };
    await lab.act(checkout, "pay");
    await app.ask("GET", `/v1/billing/top-ups/${topUp.id}`, { token: owner.token });
    return checkout;
  }

  test("requires the password to be turned on, resumed or raised, and a saved payment method", async () => {
    const { owner } = await ownerWithSavedMethod();
    const other = await registerPerson(app);
    await makeOrganisation(app, other);
    const without = await put(other, { automatic, currentPassword: other.password });
    expect([without.statusCode, without.json().type]).toEqual([409, "/api/docs#no-saved-method"]);

    expect(await get(owner)).toMatchObject({ automatic: null, savedMethod: expect.any(String), canSaveMethod: true });
    expect((await put(owner, { automatic })).json().type).toBe("/api/docs#password-required");
    expect((await put(owner, { automatic, currentPassword: owner.password })).json()).toMatchObject({ automatic });
    const lower = { ...automatic, amountMicros: 10_000_000 };
    expect((await put(owner, { automatic: lower })).json()).toMatchObject({ automatic: lower });
    expect((await put(owner, { automatic })).json().type).toBe("/api/docs#password-required");
    const beyond = { ...automatic, monthLimitMicros: 10_000_000 };
    expect((await put(owner, { automatic: beyond })).statusCode).toBe(422);
    expect((await put(owner, { savedMethod: null })).json()).toMatchObject({ automatic: null, savedMethod: null });
  });

  test("charges the saved method once when the balance falls below the threshold, whichever processes look, up to the month’s limit", async () => {
    const { owner } = await ownerWithSavedMethod();
    await put(owner, { automatic, currentPassword: owner.password });
    await runOnce();
    expect([await automaticOnes(owner), await balance(owner)]).toEqual([[], 20_000_000]);
    await setBalance(owner, 9_990_000);
    await Promise.all([runOnce(), runOnce(), runOnce()]);
    expect([await automaticOnes(owner), await balance(owner)]).toEqual([["paid"], 59_990_000]);
    await setBalance(owner, 0);
    await runOnce();
    expect([await automaticOnes(owner), await balance(owner)]).toEqual([["paid", "paid"], 50_000_000]);
    // A third would exceed $120.
    await setBalance(owner, 0);
    await runOnce();
    expect([await automaticOnes(owner), await balance(owner)]).toEqual([["paid", "paid"], 0]);
    expect((await get(owner)).addedThisMonthMicros).toBe(100_000_000);
    const [newest] = await topUps(owner);
    expect(newest).toMatchObject({ isAutomatic: true, receiptNumber: expect.any(String), checkoutUrl: null });
    const made = ["top-up.settled", "automatic-top-up.started"];
    // The first one was made by the owner, and settled by what the provider said.
    const changes = (await leadlineChanges(app, owner)).map(({ action }) => action);
    expect(changes).toEqual([...made, ...made, "top-up.settled"]);
  });

  test("isn’t made while calls are metered", async () => {
    const { owner } = await ownerWithSavedMethod();
    await put(owner, { automatic, currentPassword: owner.password });
    await setBalance(owner, 0);
    const body = { mode: "metered", currentPassword: owner.password };
    expect((await app.ask("PUT", "/v1/billing/mode", { token: owner.token, body })).statusCode).toBe(200);
    await runOnce();
    expect(await automaticOnes(owner)).toEqual([]);
  });

  test("whose response is lost is finished later, without a second charge", async () => {
    const { owner } = await ownerWithSavedMethod();
    await put(owner, { automatic, currentPassword: owner.password });
    await setBalance(owner, 0);
    loses = "answers";
    await runOnce();
    await runOnce();
    loses = null;
    expect([await automaticOnes(owner), await balance(owner)]).toEqual([["open"], 0]);
    lab.forgetRequests?.();
    await resumeTopUps(newProcess(), { soonMs: 0 });
    await runOnce();
    expect([await automaticOnes(owner), await balance(owner)]).toEqual([["paid"], 50_000_000]);
  });

  test.each([
    ["requests", ["open"], 0],
    ["answers", ["paid"], 50_000_000],
  ] as const)("that is turned off after its %s were lost charges nothing more", async (lost, states, credit) => {
    const { owner } = await ownerWithSavedMethod();
    await put(owner, { automatic, currentPassword: owner.password });
    await setBalance(owner, 0);
    loses = lost;
    await runOnce();
    loses = null;
    await put(owner, { automatic: null });
    await resumeTopUps(newProcess(), { soonMs: 0 });
    expect([await automaticOnes(owner), await balance(owner)]).toEqual([states, credit]);
  });

  test("can't be canceled, since that would have to charge it first", async () => {
    const { owner } = await ownerWithSavedMethod();
    await put(owner, { automatic, currentPassword: owner.password });
    await setBalance(owner, 0);
    loses = "requests";
    await runOnce();
    loses = null;
    const [begun] = (await topUps(owner)).filter(({ isAutomatic }) => isAutomatic);
    const canceled = await app.ask("POST", `/v1/billing/top-ups/${begun?.id}/cancel`, { token: owner.token });
    expect(canceled.json().detail).toBe("An automatic top-up can’t be canceled. It is unchanged.");
    expect([await automaticOnes(owner), await balance(owner)]).toEqual([["open"], 0]);
  });

  test("whose payment is refunded pauses further ones instead of charging the card again", async () => {
    const { owner, checkout } = await ownerWithSavedMethod();
    await put(owner, { automatic, currentPassword: owner.password });
    await lab.act(checkout, "refund");
    await resumeTopUps(newProcess(), { soonMs: 0 });
    await settleAll(owner);
    expect((await get(owner)).pausedWhy).toBe("A payment was refunded or disputed.");
    await runOnce();
    expect(await automaticOnes(owner)).toEqual([]);
  });

  test.each(["replaced", "removed"])(
    "isn’t charged to a method that was %s when the payment that had saved it is disputed, won and refunded",
    async (since) => {
      const { owner, checkout } = await ownerWithSavedMethod();
      const isReplaced = since === "replaced";
      if (isReplaced) await payAndSaveMethod(owner);
      await put(owner, isReplaced ? { automatic, currentPassword: owner.password } : { savedMethod: null });
      const read = () =>
        app.database.withTransaction({ organisationId: owner.organisationId }, (tx) =>
          readBalanceSettings(tx, owner.organisationId),
        );
      const { saved } = await read();
      const pausedWhy = isReplaced ? "A payment was refunded or disputed." : null;
      for (const action of ["dispute", "win", "refund"] as const) {
        await lab.act(checkout, action);
        await settleAll(owner);
        expect(await read()).toMatchObject({ saved, pausedWhy });
      }
      await payAndSaveMethod(owner);
      expect((await read()).pausedWhy).toBe(pausedWhy);
    },
  );

  test("that is declined pauses the next ones until the settings change, and owners are mailed once", async () => {
    const { owner, checkout } = await ownerWithSavedMethod();
    await put(owner, { automatic, currentPassword: owner.password });
    await setBalance(owner, 0);
    await lab.declineCharges?.(checkout);
    await runOnce();
    await runOnce();
    expect([await automaticOnes(owner), await balance(owner)]).toEqual([["declined"], 0]);
    expect((await get(owner)).pausedWhy).toBe("The saved payment method was declined.");
    const mailed = await mailsOf(owner);
    expect(mailed.map(({ text }) => text).join()).toContain("Subject: Automatic top-ups are paused");
    expect(await mailsOf(owner)).toHaveLength(1);
    expect((await put(owner, { automatic })).json().type).toBe("/api/docs#password-required");
    const resumed = await put(owner, { automatic, currentPassword: owner.password });
    expect(resumed.json()).toMatchObject({ pausedWhy: null });
    await runOnce();
    expect(await automaticOnes(owner)).toEqual(["declined", "declined"]);
    expect(await mailsOf(owner)).toHaveLength(2);
  });

  let server: Awaited<ReturnType<typeof startMailServer>>;
  let mailer: Mailer;
  beforeAll(async () => {
    server = await startMailServer();
    const mailFrom = "Leadline <phone@example.com>";
    mailer = createMailer({ smtpUrl: server.url, mailFrom, dataDir: "" }, createLog("fatal"));
  });
  afterAll(async () => {
    mailer.close();
    await server.close();
  });
  /** All so far, after running the jobs once more for this organisation. */
  async function mailsOf(owner: Owner) {
    const links = createMailedLinks(() => Buffer.alloc(32), Promise.resolve("https://phone.example.com"));
    const job = mailBalanceJob({ database: app.database, mailer, links });
    const ordered: Parameters<typeof job.run>[0][] = [];
    const enqueue = async (_tx: unknown, _job: unknown, data: object) => void ordered.push(job.schema.parse(data));
    await orderBalanceMailsJob(app.database, job).run({}, { enqueue });
    const own = ordered.filter(({ organisationId }) => organisationId === owner.organisationId);
    for (const data of own) await job.run(data, { enqueue: async () => {} });
    return server.received.filter(({ to }) => to === owner.email);
  }

  test("or none: owners are mailed once each time the balance falls below their threshold", async () => {
    const { owner } = await ownerWithSavedMethod();
    const admin = await registerPerson(app);
    await joinOrganisation(app, admin, { organisationId: owner.organisationId, role: "admin" });
    expect((await put(admin, { lowBelowMicros: 15_000_000 })).json()).toMatchObject({ lowBelowMicros: 15_000_000 });
    expect(await mailsOf(owner)).toEqual([]);
    await setBalance(owner, 14_990_000);
    const [mail] = await mailsOf(owner);
    for (const words of ["Subject: Your Leadline balance is low", "$14.99", "$15.00", "/settings/billing"])
      expect(mail?.text).toContain(words);
    await setBalance(owner, 1_000_000);
    expect(await mailsOf(owner)).toHaveLength(1);
    await setBalance(owner, 15_000_000);
    expect(await mailsOf(owner)).toHaveLength(1);
    await setBalance(owner, 0);
    expect(await mailsOf(owner)).toHaveLength(2);
    expect(server.received.some(({ to }) => to === admin.email)).toBe(false);
  });
});
