import { describePaymentConformance, wantCheckout } from "@leadline/adapter-kit/payment-conformance";
import { describe, expect, test } from "vitest";
import { payment } from "./server.ts";
import { settings } from "./settings.ts";
import { startLab } from "./testing/lab.ts";

const lab = await startLab();
const judgedBefore = lab.judged();

describePaymentConformance("Stripe", async () => ({ ...lab, close: async () => {} }));

describe.skipIf(!lab.isJudged)("Stripe’s own contract", () => {
  test("accepts every request of the official client", () => {
    expect(lab.judged() - judgedBefore).toBeGreaterThan(20);
    expect(lab.violations).toEqual([]);
  });

  test("would have refused one that it does not know", async () => {
    const provider = lab.open(async () => {});
    // Half a cent is no amount of Stripe's.
    await provider.startCheckout(wantCheckout({ amountMicros: 10_005_000 })).catch(() => {});
    expect(lab.violations.splice(0).join()).toMatch(/unit_amount/);
  });
});

test("nobody answers: a sentence, and it may be tried again", async () => {
  await lab.close();
  const provider = lab.open(async () => {});
  const asked = provider.startCheckout(wantCheckout());
  await expect(asked).rejects.toMatchObject({ fault: "unreachable", message: expect.stringMatching(/^Stripe isn’t/) });
});

test("is on if both its settings are there, off without them, and refuses one alone", () => {
  expect(payment.open({}, { onReport: async () => {}, dataDir: null })).toBeNull();
  expect(settings.safeParse({ STRIPE_SECRET_KEY: "sk_test_1" }).success).toBe(false);
  expect(settings.safeParse({ STRIPE_SECRET_KEY: "sk_test_1", STRIPE_WEBHOOK_SECRET: "whsec_1" }).success).toBe(true);
});
