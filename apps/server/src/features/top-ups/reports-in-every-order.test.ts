import { randomUUID } from "node:crypto";
import { deliver, type LabReport, type PaymentLab } from "@leadline/adapter-kit/payment-conformance";
import type { PaymentModule, PaymentProvider } from "@leadline/adapter-kit/payment";
import type { TopUp } from "@leadline/contract/top-ups";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { paymentLabs } from "../../testing/payment-labs.ts";
import { makeOrganisation, registerPerson, testApp, type TestPerson } from "../../testing/test-app.ts";

/** What happens at the provider. `cancel`: an admin cancels the top-up in Leadline. */
type Action = Parameters<PaymentLab["act"]>[1] | "cancel";
/** The index of an action, or of the action whose report arrives. */
type Step = { act: number } | { deliver: number };

/** Every way in which the actions' reports can arrive: in every order, at every point after their actions. */
function everyWay(count: number, acted = 0, open: readonly number[] = []): Step[][] {
  if (acted === count && open.length === 0) return [[]];
  const next = acted < count ? [{ step: { act: acted }, acted: acted + 1, open: [...open, acted] }] : [];
  const arriving = open.map((index) => ({
    step: { deliver: index },
    acted,
    open: open.filter((other) => other !== index),
  }));
  return [...next, ...arriving].flatMap((way) =>
    everyWay(count, way.acted, way.open).map((rest) => [way.step, ...rest]),
  );
}

/** Every order of the reports: as early as they can arrive, and at other points. */
function eachOrder(count: number): Step[][] {
  const arrivals = (steps: readonly Step[]) => steps.flatMap((step) => ("deliver" in step ? step.deliver : []));
  const byArrival = Map.groupBy(everyWay(count), (steps) => arrivals(steps).join());
  return [...byArrival.values()].flatMap((ways, at) => [ways[at % ways.length] ?? [], ways.at(-1) ?? []]);
}

describe.each(Object.entries(paymentLabs))("the reports of %s", (_, startLab) => {
  let lab: PaymentLab;
  let provider: PaymentProvider;
  const module: PaymentModule = {
    id: `lab-${randomUUID()}`,
    name: "Lab",
    settings: z.object({}),
    open: (_settings, { onReport }) => (provider = lab.open(onReport)),
  };
  beforeAll(async () => {
    lab = await startLab();
  });
  const app = testApp(undefined, undefined, [module]);
  let owner: TestPerson & { organisationId: string };
  beforeAll(async () => {
    const person = await registerPerson(app);
    owner = { ...person, organisationId: (await makeOrganisation(app, person)).id };
  });
  afterAll(() => lab.close());

  /** As stored. The screens would ask the provider first. */
  const read = (id: string) =>
    app.database.withTransaction({ organisationId: owner.organisationId }, async (tx) => {
      const { state, checkout_id } = await tx
        .selectFrom("top_ups")
        .select(["state", "checkout_id"])
        .where("id", "=", id)
        .executeTakeFirstOrThrow();
      const transfers = await tx
        .selectFrom("ledger_transfers")
        .select(["amount", "to_account as to"])
        .where("key", "like", `top-up:${id}%`)
        .execute();
      const credited = transfers.reduce((sum, { amount, to }) => sum + (to === "balance" ? amount : -amount), 0);
      return { state, checkoutId: checkout_id ?? "", credited, transfers: transfers.length };
    });

  /** Each report arrives twice, and again after everything else. */
  async function run(actions: readonly Action[], order: readonly Step[]) {
    const request = { token: owner.token, headers: { "idempotency-key": randomUUID() } };
    const body = { amountMicros: 25_000_000 };
    const { id }: TopUp = (await app.ask("POST", "/v1/billing/top-ups", { ...request, body })).json();
    const { checkoutId } = await read(id);
    const reports = new Map<number, LabReport[]>();
    for (const step of order) {
      if ("act" in step) {
        const action = actions[step.act] ?? "cancel";
        if (action === "cancel") await app.ask("POST", `/v1/billing/top-ups/${id}/cancel`, request);
        else await lab.act({ id: checkoutId }, action);
        reports.set(step.act, lab.takeReports());
        continue;
      }
      for (const report of reports.get(step.deliver) ?? []) {
        await deliver(provider, report);
        const applied = await read(id);
        const { state, paidMicros, refundedMicros, chargedBackMicros } = await provider.readPayment(checkoutId);
        expect(applied).toMatchObject({ state, credited: paidMicros - refundedMicros - chargedBackMicros });
        await deliver(provider, report);
        expect(await read(id)).toEqual(applied);
      }
    }
    const last = await read(id);
    for (const report of [...reports.values()].flat()) await deliver(provider, report);
    expect(await read(id)).toEqual(last);
    return last;
  }

  const cases: [Action[], Partial<Awaited<ReturnType<typeof read>>>][] = [
    [["pay", "dispute", "win", "refund"], { state: "paid", credited: 0 }],
    [["pay", "dispute", "lose"], { state: "paid", credited: 0 }],
    [["pay", "dispute", "win"], { state: "paid", credited: 25_000_000 }],
    [["pay", "cancel", "refund"], { state: "paid", credited: 0 }],
    [["cancel", "pay"], { state: "expired", credited: 0, transfers: 0 }],
    [["decline", "pay", "cancel"], { credited: 0, transfers: 0 }],
  ];
  test.each(cases)("have one result in every order, twice and late: %j", async (actions, result) => {
    for (const order of eachOrder(actions.length)) expect(await run(actions, order)).toMatchObject(result);
  });
});
