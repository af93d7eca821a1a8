import {
  describeChargeConformance,
  describePaymentConformance,
  wantCheckout,
} from "@leadline/adapter-kit/payment-conformance";
import { once } from "node:events";
import { createServer } from "node:http";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { payment } from "./server.ts";
import { settings } from "./settings.ts";
import { startLab } from "./testing/lab.ts";

const keys = (key: string) => settings.parse({ STRIPE_SECRET_KEY: key, STRIPE_WEBHOOK_SECRET: "whsec_1" });
const lab = await startLab();
const judgedBefore = lab.judged();

const kept = async () => ({ ...lab, close: async () => {} });
describePaymentConformance("Stripe", kept);
describeChargeConformance("Stripe", kept);

describe.skipIf(!lab.isJudged)("Stripe’s own contract", () => {
  test("accepts every request of the official client", () => {
    expect(lab.judged() - judgedBefore).toBeGreaterThan(20);
    expect(lab.violations).toEqual([]);
  });

  test("would have refused an unknown request", async () => {
    const provider = lab.open(async () => {});
    // Stripe has no half cents.
    await provider.startCheckout(wantCheckout({ amountMicros: 10_005_000 })).catch(() => {});
    expect(lab.violations.splice(0).join()).toMatch(/unit_amount/);
  });
});

test("without a response: a message, and a retry is possible", async () => {
  await lab.close();
  const provider = lab.open(async () => {});
  const asked = provider.startCheckout(wantCheckout());
  await expect(asked).rejects.toMatchObject({ fault: "unreachable", message: expect.stringMatching(/^Stripe isn’t/) });
});

test("the same request is still in progress: a retry is possible", async () => {
  const busy = createServer((_, answer) => {
    answer.writeHead(409, { "content-type": "application/json" });
    answer.end(JSON.stringify({ error: { type: "idempotency_error", message: "in progress" } }));
  }).listen(0, "127.0.0.1");
  await once(busy, "listening");
  const { port } = z.object({ port: z.number() }).parse(busy.address());
  const standIn = new URL(`http://127.0.0.1:${port}`);
  const provider = payment.open(keys("sk_test_1"), { onReport: async () => {}, dataDir: null, standIn });
  await expect(provider?.startCheckout(wantCheckout())).rejects.toMatchObject({ fault: "unreachable" });
  busy.close();
});

test("a test key moves no money", () => {
  const open = (key: string) => payment.open(keys(key), { onReport: async () => {}, dataDir: null });
  expect(["sk_test_1", "rk_test_1", "sk_live_1", "rk_live_1"].map((key) => open(key)?.movesMoney)).toEqual([
    false,
    false,
    true,
    true,
  ]);
});

test("is on with both settings, off without, and refuses only one", () => {
  expect(payment.open({}, { onReport: async () => {}, dataDir: null })).toBeNull();
  expect(settings.safeParse({ STRIPE_SECRET_KEY: "sk_test_1" }).success).toBe(false);
  expect(settings.safeParse({ STRIPE_SECRET_KEY: "sk_test_1", STRIPE_WEBHOOK_SECRET: "whsec_1" }).success).toBe(true);
});
