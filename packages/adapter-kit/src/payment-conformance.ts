import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { AdapterRequest } from "./adapter-route.ts";
import {
  type Checkout,
  PaymentError,
  type PaymentModule,
  type PaymentProvider,
  type PaymentReport,
  type WantedCheckout,
} from "./payment.ts";

/** A provider for tests, with functions that act on its side. */
export interface PaymentLab {
  module: PaymentModule;
  /** Opens the provider as a separate process would: payments started in one are known in the next. */
  open(onReport: (report: PaymentReport) => Promise<void>): PaymentProvider;
  /**
   * Acts as the payer, the payer's bank, or the operator on the provider's website. Refunds and disputes are for the
   * full amount.
   */
  act(
    checkout: Pick<Checkout, "id"> & Partial<Checkout>,
    action: "pay" | "decline" | "refund" | "dispute" | "win" | "lose",
  ): Promise<void>;
  /** From now on the bank declines charges to the method that this checkout saved. Missing without `savedMethods`. */
  declineCharges?(checkout: Checkout): Promise<void>;
  /** Makes the provider forget its idempotency keys. Missing if it never does. */
  forgetRequests?(): void;
  /** The provider's reports since the last call. Tests post them to its route in any order, once, twice or never. */
  takeReports(): LabReport[];
  /** A report signed by someone else. Null if reports don't arrive over the network. */
  forge: ((reference: string) => LabReport) | null;
  close(): Promise<void>;
}

export type LabReport = Pick<AdapterRequest, "url" | "headers" | "body">;

/** Posts a report to the provider's own route and returns the status. */
export async function deliver(provider: PaymentProvider, { url, headers, body }: LabReport): Promise<number> {
  const found = provider.routes.find(
    ({ path, methods }) => methods.includes("POST") && (path === url || url.startsWith(path.replace(/\*$/, "\0"))),
  );
  if (!found) throw new Error(`nothing is served at ${url}`);
  const address = `https://leadline.test${url}`;
  return (await found.answer({ method: "POST", url, address, headers, body })).status;
}

export const wantCheckout = (changes: Partial<WantedCheckout> = {}): WantedCheckout => ({
  reference: randomUUID(),
  amountMicros: 25_000_000,
  description: "Leadline balance, Acme",
  returnUrl: "https://leadline.test/settings/billing",
  savesMethod: false,
  ...changes,
});

const none = { paidMicros: 0, refundedMicros: 0, chargedBackMicros: 0 };

/** The tests that every payment provider must pass before it is listed in the server's adapters. */
export function describePaymentConformance(name: string, startLab: () => Promise<PaymentLab>): void {
  describe(`${name} keeps a payment provider’s promises`, () => {
    let lab: PaymentLab;
    let provider: PaymentProvider;
    const reports: PaymentReport[] = [];
    beforeAll(async () => {
      lab = await startLab();
      provider = lab.open(async (report) => void reports.push(report));
    });
    afterAll(() => lab.close());

    const current = (checkout: Pick<Checkout, "id">) => provider.readPayment(checkout.id);
    async function paid(): Promise<{ wanted: WantedCheckout; checkout: Checkout }> {
      const wanted = wantCheckout();
      const checkout = await provider.startCheckout(wanted);
      await lab.act(checkout, "pay");
      return { wanted, checkout };
    }

    it("starts a checkout that a browser can open, unpaid", async () => {
      const checkout = await provider.startCheckout(wantCheckout());
      expect(new URL(checkout.url).protocol).toBe("https:");
      expect(await current(checkout)).toEqual({ state: "open", ...none, method: null, savedMethod: null });
    });

    it("starts one checkout for a reference, also twice at once and in another process", async () => {
      const wanted = wantCheckout();
      const [one, two] = await Promise.all([provider.startCheckout(wanted), provider.startCheckout(wanted)]);
      const other = lab.open(async () => {});
      expect([two, await other.startCheckout(wanted)]).toEqual([one, one]);
    });

    it("refuses a reference that was used for another amount", async () => {
      const wanted = wantCheckout();
      await provider.startCheckout(wanted);
      const again = provider.startCheckout({ ...wanted, amountMicros: 10_000_000 });
      await expect(again).rejects.toBeInstanceOf(PaymentError);
      await expect(again).rejects.toMatchObject({ fault: "refused", message: expect.stringMatching(/\.$/) });
    });

    it("reports what was paid, to the micro, and how", async () => {
      const { wanted, checkout } = await paid();
      const { amountMicros: paidMicros } = wanted;
      const expected = { state: "paid", ...none, paidMicros, method: expect.any(String), savedMethod: null };
      expect(await current(checkout)).toEqual(expected);
    });

    it("reports that a payment can no longer be made", async () => {
      const checkout = await provider.startCheckout(wantCheckout());
      await lab.act(checkout, "decline");
      expect(await current(checkout)).toMatchObject({ state: expect.stringMatching(/^(declined|expired)$/), ...none });
    });

    it("cancels an unpaid checkout, and leaves a paid one unchanged", async () => {
      const checkout = await provider.startCheckout(wantCheckout());
      await provider.cancel(checkout.id);
      await provider.cancel(checkout.id);
      expect(await current(checkout)).toMatchObject({ state: "expired" });
      const { checkout: settled } = await paid();
      await provider.cancel(settled.id);
      expect(await current(settled)).toMatchObject({ state: "paid" });
    });

    it("reports refunds, and what the payer's bank charged back and returned", async () => {
      const { wanted, checkout } = await paid();
      const { amountMicros } = wanted;
      await lab.act(checkout, "dispute");
      expect(await current(checkout)).toMatchObject({ state: "paid", chargedBackMicros: amountMicros });
      await lab.act(checkout, "win");
      expect(await current(checkout)).toMatchObject({ paidMicros: amountMicros, chargedBackMicros: 0 });
      await lab.act(checkout, "refund");
      expect(await current(checkout)).toMatchObject({ paidMicros: amountMicros, refundedMicros: amountMicros });
    });

    it("reports each change with the reference, and the same event again with the same id", async () => {
      lab.takeReports();
      reports.splice(0);
      const { wanted, checkout } = await paid();
      await lab.act(checkout, "dispute");
      await lab.act(checkout, "win");
      await lab.act(checkout, "refund");
      const sent = lab.takeReports();
      expect(sent).toHaveLength(4);
      for (const report of [...sent, ...sent]) expect(await deliver(provider, report)).toBeLessThan(400);
      expect(reports.map(({ reference }) => reference)).toEqual(Array(8).fill(wanted.reference));
      const ids = reports.map(({ eventId }) => eventId);
      expect(ids.slice(4)).toEqual(ids.slice(0, 4));
      expect(new Set(ids).size).toBe(4);
    });

    it("requests redelivery if a report could not be handled", async () => {
      await paid();
      const busy = lab.open(async () => {
        throw new Error("the database is away");
      });
      for (const report of lab.takeReports()) await expect(deliver(busy, report)).rejects.toThrow(/away/);
    });

    it("refuses a report that someone else signed, or whose bytes were changed", async () => {
      const { wanted } = await paid();
      const [report] = lab.takeReports();
      if (lab.forge === null || !report) return;
      reports.splice(0);
      const changed = { ...report, body: Buffer.from(report.body.toString().replace(wanted.reference, randomUUID())) };
      const unsigned = { ...report, headers: {} };
      for (const forged of [lab.forge(wanted.reference), changed, unsigned])
        expect(await deliver(provider, forged)).toBe(400);
      expect(reports).toEqual([]);
    });
  });
}

/** Additional tests for providers that charge saved methods. */
export function describeChargeConformance(name: string, startLab: () => Promise<PaymentLab>): void {
  describe(`${name} charges saved payment methods`, () => {
    let lab: PaymentLab;
    let provider: PaymentProvider;
    const reports: PaymentReport[] = [];
    beforeAll(async () => {
      lab = await startLab();
      provider = lab.open(async (report) => void reports.push(report));
    });
    afterAll(() => lab.close());

    const current = (checkout: Pick<Checkout, "id">) => provider.readPayment(checkout.id);
    async function saved(): Promise<{ checkout: Checkout; savedMethod: string }> {
      const checkout = await provider.startCheckout(wantCheckout({ savesMethod: true }));
      await lab.act(checkout, "pay");
      const { savedMethod } = await current(checkout);
      if (savedMethod === null) throw new Error("no method was saved");
      return { checkout, savedMethod };
    }

    it("charges a saved method off-session, once per reference, and reports it like a checkout", async () => {
      const { savedMethods } = provider;
      if (!savedMethods) throw new Error("it charges nothing");
      const { savedMethod } = await saved();
      lab.takeReports();
      reports.splice(0);
      const { reference, amountMicros, description } = wantCheckout({ amountMicros: 12_340_000 });
      const wanted = { reference, amountMicros, description, savedMethod };
      const [one, two] = await Promise.all([savedMethods.charge(wanted), savedMethods.charge(wanted)]);
      const other = lab.open(async () => {});
      expect([two.id, (await other.savedMethods?.charge(wanted))?.id]).toEqual([one.id, one.id]);
      const expected = {
        state: "paid",
        ...none,
        paidMicros: 12_340_000,
        method: expect.any(String),
        savedMethod: null,
      };
      expect(await current(one)).toEqual(expected);
      await expect(savedMethods.charge({ ...wanted, amountMicros: 99_000_000 })).rejects.toMatchObject({
        fault: "refused",
      });
      await provider.cancel(one.id);
      await lab.act(one, "refund");
      expect(await current(one)).toMatchObject({ state: "paid", refundedMicros: 12_340_000 });
      for (const report of lab.takeReports()) expect(await deliver(provider, report)).toBeLessThan(400);
      expect(new Set(reports.map((report) => report.reference))).toEqual(new Set([reference]));
    });

    it("charges once per reference, even long after the response was lost, and finds what it charged", async () => {
      const { savedMethods } = provider;
      if (!savedMethods) throw new Error("it charges nothing");
      const { savedMethod } = await saved();
      const { reference, amountMicros, description } = wantCheckout({ amountMicros: 12_340_000 });
      const wanted = { reference, amountMicros, description, savedMethod };
      expect(await savedMethods.find(wanted)).toBeNull();
      const charged = await savedMethods.charge(wanted);
      lab.forgetRequests?.();
      expect(await savedMethods.find(wanted)).toEqual(charged);
      expect(await savedMethods.charge(wanted)).toEqual(charged);
    });

    it("reports a declined charge, and refuses an unknown method", async () => {
      const { savedMethods } = provider;
      if (!savedMethods) throw new Error("it charges nothing");
      const { checkout, savedMethod } = await saved();
      await lab.declineCharges?.(checkout);
      const { reference, amountMicros, description } = wantCheckout();
      const wanted = { reference, amountMicros, description, savedMethod };
      const declined = await savedMethods.charge(wanted);
      expect(await current(declined)).toMatchObject({ state: "declined", ...none });
      expect((await savedMethods.charge(wanted)).id).toBe(declined.id);
      const unknown = savedMethods.charge({ ...wanted, reference: randomUUID(), savedMethod: "cus_none/pm_none" });
      await expect(unknown).rejects.toMatchObject({ fault: "refused" });
    });
  });
}
