import { randomUUID } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import { deliver, type LabReport, type PaymentLab } from "@leadline/adapter-kit/payment-conformance";
import { PaymentError, type PaymentModule, type PaymentProvider } from "@leadline/adapter-kit/payment";
import type { StatementEntry } from "@leadline/contract/billing";
import type { TopUp } from "@leadline/contract/top-ups";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { createLog } from "../../log.ts";
import { adjustBalance } from "../../testing/set-balance.ts";
import { paymentLabs } from "../../testing/payment-labs.ts";
import {
  joinOrganisation,
  makeOrganisation,
  registerPerson,
  testApp,
  testSeller,
  type TestPerson,
} from "../../testing/test-app.ts";
import { openPayments } from "./open-payments.ts";
import { resumeTopUps } from "./resume-top-ups.ts";
import { receiveReport } from "./settle-top-up.ts";
import type { TopUpDeps } from "./top-up-deps.ts";
import { postPayment } from "../ledger/post-payment.ts";
import { insertTopUp, lockTopUps } from "./top-ups.table.ts";

const amountMicros = 25_000_000;

describe.each(Object.entries(paymentLabs))("a top-up through %s", (_, startLab) => {
  let lab: PaymentLab;
  let provider: PaymentProvider;
  /** Why the provider's responses don't reach us. */
  let fault: PaymentError["fault"] | null = null;
  let beforeAnswer = async () => {};
  // Other suites share the database: this one only asks about its own top-ups.
  const module: PaymentModule = {
    id: `lab-${randomUUID()}`,
    name: "Lab",
    settings: z.object({}),
    open(_settings, { onReport }) {
      const opened = lab.open(onReport);
      const losing =
        <A, T>(ask: (asked: A) => Promise<T>) =>
        async (asked: A): Promise<T> => {
          const answer = await ask(asked);
          await beforeAnswer();
          if (fault !== null) throw new PaymentError(fault, `The provider’s answer: ${fault}.`);
          return answer;
        };
      provider = { ...opened, startCheckout: losing(opened.startCheckout), readPayment: losing(opened.readPayment) };
      return provider;
    },
  };
  beforeAll(async () => {
    lab = await startLab();
  });
  const app = testApp(undefined, undefined, [module]);
  afterAll(() => lab.close());

  interface Owner extends TestPerson {
    organisationId: string;
  }
  async function newOwner(): Promise<Owner> {
    const person = await registerPerson(app);
    return { ...person, organisationId: (await makeOrganisation(app, person)).id };
  }
  const start = (by: TestPerson, micros = amountMicros, key: string = randomUUID()) =>
    app.ask("POST", "/v1/billing/top-ups", {
      token: by.token,
      body: { amountMicros: micros },
      headers: { "idempotency-key": key },
    });
  const read = async (by: TestPerson, id: string): Promise<TopUp> =>
    (await app.ask("GET", `/v1/billing/top-ups/${id}`, { token: by.token })).json();
  const balance = async (by: TestPerson): Promise<number> =>
    (await app.ask("GET", "/v1/billing/summary", { token: by.token })).json().balanceMicros;
  const entries = async (by: TestPerson): Promise<Pick<StatementEntry, "kind" | "amountMicros">[]> =>
    (await app.ask("GET", "/v1/billing/entries", { token: by.token }))
      .json()
      .entries.map(({ kind, amountMicros: amount }: StatementEntry) => ({ kind, amountMicros: amount }));
  const checkoutOf = async (by: Owner, topUp: TopUp) => {
    const row = await app.database.withTransaction({ organisationId: by.organisationId }, (tx) =>
      tx.selectFrom("top_ups").select("checkout_id").where("id", "=", topUp.id).executeTakeFirstOrThrow(),
    );
    return { id: row.checkout_id ?? "", url: topUp.checkoutUrl ?? "" };
  };
  const post = (report: LabReport) => deliver(provider, report);
  async function startPaid(by: Owner): Promise<TopUp> {
    const topUp: TopUp = (await start(by)).json();
    await lab.act(await checkoutOf(by, topUp), "pay");
    return topUp;
  }
  /** Runs as another process of the installation. */
  const resume = () => {
    const payments = openPayments([module], {
      environment: {},
      dataDir: null,
      onReport: (report) => receiveReport(deps, report),
      log: createLog("silent"),
    });
    const deps: TopUpDeps = { database: app.database, payments, seller: testSeller, log: createLog("silent") };
    return resumeTopUps(deps, { soonMs: 0 });
  };

  test("credits the balance once, however many reports say at once that it was paid", async () => {
    const owner = await newOwner();
    lab.takeReports();
    const topUp = await startPaid(owner);
    expect(await balance(owner)).toBe(0);
    const [report] = lab.takeReports();
    if (!report) throw new Error("nothing was reported");
    expect(await Promise.all([post(report), post(report), read(owner, topUp.id), resume()])).toContain(200);
    await post(report);
    expect(await balance(owner)).toBe(amountMicros);
    expect(await entries(owner)).toEqual([{ kind: "top-up", amountMicros }]);
    expect(await read(owner, topUp.id)).toMatchObject({
      state: "paid",
      method: expect.any(String),
      paidAt: expect.any(String),
    });
  });

  test("deducts a chargeback from the balance, below zero if it was spent, and restores it if the dispute is won", async () => {
    const owner = await newOwner();
    const topUp = await startPaid(owner);
    await read(owner, topUp.id);
    lab.takeReports();
    await adjustBalance(app.database, { organisationId: owner.organisationId, balanceMicros: 5_000_000 });
    const checkout = await checkoutOf(owner, topUp);
    for (const [action, kind, sum, left] of [
      ["dispute", "chargeback", -amountMicros, 5_000_000 - amountMicros],
      ["win", "chargeback", amountMicros, 5_000_000],
    ] as const) {
      await lab.act(checkout, action);
      for (const report of lab.takeReports()) await post(report);
      expect((await entries(owner))[0]).toEqual({ kind, amountMicros: sum });
      expect(await balance(owner)).toBe(left);
    }
  });

  test("isn't reset by a state that was read before another one, and arrives after it", async () => {
    const owner = await newOwner();
    const topUp = await startPaid(owner);
    await read(owner, topUp.id);
    const checkout = await checkoutOf(owner, topUp);
    lab.takeReports();
    await lab.act(checkout, "dispute");
    const [disputed] = lab.takeReports();
    const [reading, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    beforeAnswer = async () => {
      beforeAnswer = async () => {};
      reading.resolve();
      await release.promise;
    };
    if (!disputed) throw new Error("nothing was reported");
    const late = post(disputed);
    await reading.promise;
    await lab.act(checkout, "win");
    for (const report of lab.takeReports()) await post(report);
    release.resolve();
    await late;
    expect(await read(owner, topUp.id)).toMatchObject({ state: "paid", chargedBackMicros: 0 });
    expect(await balance(owner)).toBe(amountMicros);
  });

  test("is credited without any report: the page to which the browser returns asks the provider", async () => {
    const owner = await newOwner();
    const topUp = await startPaid(owner);
    lab.takeReports();
    expect(await read(owner, topUp.id)).toMatchObject({ state: "paid" });
    expect(await balance(owner)).toBe(amountMicros);
  });

  test("is credited without a report or a page: a job asks the provider", async () => {
    const owner = await newOwner();
    await startPaid(owner);
    lab.takeReports();
    await Promise.all([resume(), resume()]);
    expect(await balance(owner)).toBe(amountMicros);
    expect(await entries(owner)).toHaveLength(1);
  });

  test("that can no longer be paid says so, and credits nothing", async () => {
    const owner = await newOwner();
    const topUp: TopUp = (await start(owner)).json();
    await lab.act(await checkoutOf(owner, topUp), "decline");
    expect((await read(owner, topUp.id)).state).toMatch(/declined|expired/);
    expect(await balance(owner)).toBe(0);
  });

  test("is created once per key, even concurrently; the key with another amount is refused", async () => {
    const owner = await newOwner();
    const key = randomUUID();
    const [one, two] = await Promise.all([start(owner, amountMicros, key), start(owner, amountMicros, key)]);
    expect([one.statusCode, two.json()]).toEqual([201, one.json()]);
    expect((await start(owner, 10_000_000, key)).json()).toMatchObject({ type: "/api/docs#idempotency-key-reused" });
    const { topUps } = (await app.ask("GET", "/v1/billing/top-ups", { token: owner.token })).json();
    expect(topUps).toEqual([one.json()]);
  });

  test("whose start got no response is finished with the same key, or automatically, and is created once", async () => {
    const owner = await newOwner();
    const [key, left] = [randomUUID(), randomUUID()];
    fault = "unreachable";
    for (const each of [key, left])
      expect((await start(owner, amountMicros, each)).json()).toMatchObject({
        status: 502,
        type: "/api/docs#payment-unreachable",
      });
    fault = null;
    const finished: TopUp = (await start(owner, amountMicros, key)).json();
    expect(finished).toMatchObject({ state: "open", checkoutUrl: expect.stringContaining("http") });
    await resume();
    const { topUps } = (await app.ask("GET", "/v1/billing/top-ups", { token: owner.token })).json();
    expect(topUps).toHaveLength(2);
    for (const topUp of topUps) expect(topUp.checkoutUrl).toContain("http");
  });

  test("that starts while its organisation is being deleted keeps it from being deleted", async () => {
    const owner = await newOwner();
    const { organisationId } = owner;
    const deleting = await app.database.withTransaction({ organisationId }, async (tx) => {
      await lockTopUps(tx, organisationId);
      const response = app.ask("DELETE", `/v1/organisations/${organisationId}`, { token: owner.token });
      await Promise.race([response, setTimeout(1_000)]);
      const saved = { savesMethod: false, savedMethod: null };
      const about = { description: "Leadline balance", returnUrl: "https://leadline.example", requestHash: "" };
      const asked = { askedBy: owner.id, idempotencyKey: randomUUID(), provider: module.id, amountMicros };
      await insertTopUp(tx, { id: randomUUID(), organisationId, ...asked, ...about, ...saved });
      return { response };
    });
    expect((await deleting.response).json().detail).toContain("still waiting for payment");
  });

  test("that is paid while its organisation is being deleted keeps it from being deleted", async () => {
    const owner = await newOwner();
    const { organisationId } = owner;
    const deleting = await app.database.withTransaction({ organisationId }, async (tx) => {
      await lockTopUps(tx, organisationId);
      const response = app.ask("DELETE", `/v1/organisations/${organisationId}`, { token: owner.token });
      await Promise.race([response, setTimeout(1_000)]);
      await postPayment(tx, { organisationId, key: `top-up:${randomUUID()}`, kind: "top-up", micros: amountMicros });
      return { response };
    });
    expect((await deleting.response).json().detail).toContain("remains on its balance");
  });

  test("requires an amount in range, an admin, and fewer than 20 unpaid ones", async () => {
    const owner = await newOwner();
    for (const micros of [0, -5_000_000, 4_990_000, 1_000_010_000, 5_000_001])
      expect((await start(owner, micros)).statusCode).toBe(422);
    const member = await registerPerson(app);
    await joinOrganisation(app, member, { organisationId: owner.organisationId, role: "member" });
    expect((await start(member)).statusCode).toBe(403);
    const started = await Promise.all(Array.from({ length: 22 }, () => start(owner, 5_000_000)));
    expect(started.filter(({ statusCode }) => statusCode === 201)).toHaveLength(20);
    const refused = started.filter(({ statusCode }) => statusCode !== 201).map((each) => each.json().type);
    expect(refused).toEqual(Array(2).fill("/api/docs#quota-reached"));
    const first = (await app.ask("GET", "/v1/billing/top-ups", { token: owner.token })).json();
    expect([first.topUps.length, first.hasMore]).toEqual([20, false]);
    const deleted = await app.ask("DELETE", `/v1/organisations/${owner.organisationId}`, { token: owner.token });
    expect(deleted.json().detail).toContain("still waiting for payment");
    const cancel = (id: string) => app.ask("POST", `/v1/billing/top-ups/${id}/cancel`, { token: owner.token });
    for (const { id } of first.topUps) expect((await cancel(id)).json()).toMatchObject({ id, state: "expired" });
    expect(
      (await app.ask("DELETE", `/v1/organisations/${owner.organisationId}`, { token: owner.token })).statusCode,
    ).toBe(204);
  });

  test.each([
    ["refused", "The top-up was removed. You haven’t been charged.", []],
    ["unreachable", "The top-up may still be open.", ["open"]],
  ] as const)("says what is left of it if it is canceled and its start is %s", async (now, ending, states) => {
    const owner = await newOwner();
    fault = "unreachable";
    await start(owner);
    const list = async () => (await app.ask("GET", "/v1/billing/top-ups", { token: owner.token })).json().topUps;
    const [begun]: TopUp[] = await list();
    fault = now;
    const canceled = await app.ask("POST", `/v1/billing/top-ups/${begun?.id}/cancel`, { token: owner.token });
    fault = null;
    expect(canceled.json()).toMatchObject({
      type: `/api/docs#payment-${now}`,
      detail: `The provider’s answer: ${now}. ${ending}`,
    });
    expect((await list()).map(({ state }: TopUp) => state)).toEqual(states);
  });

  test("that is canceled at the moment it was paid stays paid", async () => {
    const owner = await newOwner();
    const { id } = await startPaid(owner);
    const answer = await app.ask("POST", `/v1/billing/top-ups/${id}/cancel`, { token: owner.token });
    expect(answer.json()).toMatchObject({ id, state: "paid" });
    expect(await balance(owner)).toBe(amountMicros);
  });
});
