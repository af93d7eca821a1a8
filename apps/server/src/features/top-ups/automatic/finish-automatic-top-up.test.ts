import { randomUUID } from "node:crypto";
import { PaymentError, type PaymentModule, type SavedMethods } from "@leadline/adapter-kit/payment";
import type { PaymentLab } from "@leadline/adapter-kit/payment-conformance";
import type { TopUp } from "@leadline/contract/top-ups";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { createLog } from "../../../log.ts";
import { leadlineChanges } from "../../../testing/leadline-changes.ts";
import { paymentLabs } from "../../../testing/payment-labs.ts";
import { adjustBalance } from "../../../testing/set-balance.ts";
import { makeOrganisation, registerPerson, testApp, testSeller, type TestPerson } from "../../../testing/test-app.ts";
import { openPayments } from "../open-payments.ts";
import { resumeTopUps } from "../resume-top-ups.ts";
import type { TopUpDeps } from "../top-up-deps.ts";
import { startAutomaticTopUps } from "./start-automatic-top-ups.ts";

const automatic = { belowMicros: 10_000_000, amountMicros: 50_000_000, monthLimitMicros: 120_000_000 };

let lab: PaymentLab;
/** A charge reaches the provider once this resolves; if it rejects, never. */
const atOnce = async (): Promise<void> => {};
let onItsWay = atOnce;
const module: PaymentModule = {
  id: `lab-${randomUUID()}`,
  name: "Lab",
  settings: z.object({}),
  open(_settings, { onReport }) {
    const opened = lab.open(onReport);
    const { savedMethods } = opened;
    if (!savedMethods) throw new Error("it charges nothing");
    const charge: SavedMethods["charge"] = async (wanted) => {
      await onItsWay();
      return savedMethods.charge(wanted);
    };
    return { ...opened, savedMethods: { ...savedMethods, charge } };
  },
};
beforeAll(async () => {
  lab = await paymentLabs.sandbox();
});
const app = testApp(undefined, undefined, [module]);
afterAll(() => lab.close());

/** Another process of the installation. */
function newProcess(): TopUpDeps {
  const log = createLog("silent");
  const payments = openPayments([module], { environment: {}, dataDir: null, onReport: async () => {}, log });
  return { database: app.database, payments, seller: testSeller, log };
}

type Owner = TestPerson & { organisationId: string };
const put = (by: Owner, body: object) =>
  app.ask("PUT", "/v1/billing/balance-settings", { token: by.token, body: { ...body, currentPassword: by.password } });
const automaticOnes = async (by: Owner): Promise<string[]> =>
  (await app.ask("GET", "/v1/billing/top-ups", { token: by.token }))
    .json()
    .topUps.flatMap((topUp: TopUp) => (topUp.isAutomatic ? [topUp.state] : []));
const balance = async (by: Owner): Promise<number> =>
  (await app.ask("GET", "/v1/billing/summary", { token: by.token })).json().balanceMicros;

/** Prepaid, with an automatic top-up that is due. */
async function ownerInNeed(): Promise<Owner> {
  const person = await registerPerson(app);
  const owner = { ...person, organisationId: (await makeOrganisation(app, person)).id };
  const { token, organisationId } = owner;
  await app.ask("PUT", "/v1/billing/mode", { token, body: { mode: "prepaid" } });
  const headers = { "idempotency-key": randomUUID() };
  const body = { amountMicros: 20_000_000, savesMethod: true };
  const topUp: TopUp = (await app.ask("POST", "/v1/billing/top-ups", { token, body, headers })).json();
  const { checkout_id } = await app.database.withTransaction({ organisationId }, (tx) =>
    tx.selectFrom("top_ups").select("checkout_id").where("id", "=", topUp.id).executeTakeFirstOrThrow(),
  );
  await lab.act({ id: checkout_id ?? "", url: topUp.checkoutUrl ?? "" }, "pay");
  await app.ask("GET", `/v1/billing/top-ups/${topUp.id}`, { token });
  expect((await put(owner, { automatic })).statusCode).toBe(200);
  await adjustBalance(app.database, { organisationId, balanceMicros: 0 });
  return owner;
}

test("an automatic top-up that is turned off while its charge is on its way is credited, and charged once", async () => {
  const owner = await ownerInNeed();
  const { promise, resolve } = Promise.withResolvers<void>();
  onItsWay = () => promise;
  const charging = startAutomaticTopUps(newProcess());
  await expect.poll(() => automaticOnes(owner)).toEqual(["open"]);
  await put(owner, { automatic: null });
  await resumeTopUps(newProcess(), { soonMs: 0 });
  resolve();
  await charging;
  expect([await automaticOnes(owner), await balance(owner)]).toEqual([["paid"], 50_000_000]);
  await put(owner, { automatic });
  await startAutomaticTopUps(newProcess());
  expect([await automaticOnes(owner), await balance(owner)]).toEqual([["paid"], 50_000_000]);
});

test("an automatic top-up that is turned off and never reached the provider is over after an hour", async () => {
  const owner = await ownerInNeed();
  onItsWay = () => Promise.reject(new PaymentError("unreachable", "The request was lost."));
  await startAutomaticTopUps(newProcess());
  onItsWay = atOnce;
  await put(owner, { automatic: null });
  const resumeAfter = async (minutes: number) => {
    await app.database.withTransaction({ organisationId: owner.organisationId }, (tx) =>
      tx
        .updateTable("top_ups")
        .set({ created_at: new Date(Date.now() - minutes * 60_000).toISOString(), checked_at: null })
        .where("organisation_id", "=", owner.organisationId)
        .where("state", "=", "starting")
        .execute(),
    );
    await resumeTopUps(newProcess(), { soonMs: 0 });
  };
  await resumeAfter(59);
  expect(await automaticOnes(owner)).toEqual(["open"]);
  await resumeAfter(61);
  expect([await automaticOnes(owner), await balance(owner)]).toEqual([[], 0]);
});

const metered = (owner: Owner) =>
  app.ask("PUT", "/v1/billing/mode", {
    token: owner.token,
    body: { mode: "metered", currentPassword: owner.password },
  });

test.each([
  ["the amount is lowered", (by: Owner) => put(by, { automatic: { ...automatic, amountMicros: 40_000_000 } })],
  [
    "the month’s limit is lowered below what it adds up to",
    (by: Owner) => put(by, { automatic: { ...automatic, monthLimitMicros: 60_000_000 } }),
  ],
  ["calls are metered", metered],
])("an automatic top-up that never reached the provider isn’t charged once %s", async (_which, change) => {
  const owner = await ownerInNeed();
  await startAutomaticTopUps(newProcess());
  await adjustBalance(app.database, { organisationId: owner.organisationId, balanceMicros: 0 });
  onItsWay = () => Promise.reject(new PaymentError("unreachable", "The request was lost."));
  await startAutomaticTopUps(newProcess());
  onItsWay = atOnce;
  const before = ["open", "paid"];
  expect((await automaticOnes(owner)).toSorted()).toEqual(before);
  expect((await change(owner)).statusCode).toBe(200);
  await resumeTopUps(newProcess(), { soonMs: 0 });
  expect([(await automaticOnes(owner)).toSorted(), await balance(owner)]).toEqual([before, 0]);
});

test("a month of automatic top-ups is the same in every time zone of the organisation", async () => {
  const owner = await ownerInNeed();
  await startAutomaticTopUps(newProcess());
  const { organisationId } = owner;
  const beganThisMonth = (hours: number) =>
    app.database.withTransaction({ organisationId }, (tx) =>
      sql`update top_ups set created_at = date_trunc('month', clock_timestamp(), 'UTC') + ${hours} * interval '1 hour'
        where organisation_id = ${organisationId} and saved_method is not null`.execute(tx),
    );
  const added = async (timeZone: string): Promise<number> => {
    await app.ask("PUT", `/v1/organisations/${organisationId}`, { token: owner.token, body: { timeZone } });
    return (await app.ask("GET", "/v1/billing/balance-settings", { token: owner.token })).json().addedThisMonthMicros;
  };
  const zones = ["Pacific/Kiritimati", "UTC", "Pacific/Pago_Pago"];
  for (const [hours, micros] of [
    [1, 50_000_000],
    [-1, 0],
  ] as const) {
    await beganThisMonth(hours);
    for (const zone of zones) expect([zone, await added(zone)]).toEqual([zone, micros]);
  }
});

test("an automatic top-up that the provider refuses is in the audit log with the pause that follows", async () => {
  const owner = await ownerInNeed();
  onItsWay = () => Promise.reject(new PaymentError("refused", "The provider refuses it."));
  await startAutomaticTopUps(newProcess());
  onItsWay = atOnce;
  expect(await automaticOnes(owner)).toEqual([]);
  const [refused, started] = await leadlineChanges(app, owner);
  expect([refused?.action, started?.action]).toEqual(["automatic-top-up.refused", "automatic-top-up.started"]);
  expect(refused?.changes).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ kind: "top_ups", after: null }),
      expect.objectContaining({ kind: "balance_settings" }),
    ]),
  );
});
