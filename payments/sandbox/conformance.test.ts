import {
  describeChargeConformance,
  describePaymentConformance,
  wantCheckout,
} from "@leadline/adapter-kit/payment-conformance";
import { expect, test } from "vitest";
import { payment } from "./server.ts";
import { startLab } from "./testing/lab.ts";

describePaymentConformance("The sandbox", startLab);
describeChargeConformance("The sandbox", startLab);

test("its page says that no money moves, offers to pay, decline or leave, and redirects back", async () => {
  const provider = payment.open({ SANDBOX_PAYMENTS: "on" }, { onReport: async () => {}, dataDir: null });
  const wanted = wantCheckout({ description: "Balance of <Acme>" });
  const checkout = await provider?.startCheckout(wanted);
  const url = `/checkouts/${checkout?.id}`;
  const ask = (method: "GET" | "POST", action = "") =>
    provider?.routes[0]?.answer({ method, url, address: "", headers: {}, body: Buffer.from(`action=${action}`) });
  const { body } = (await ask("GET")) ?? { body: "" };
  expect(body).toContain("No money moves here");
  expect(body).toContain("Balance of &lt;Acme>");
  for (const action of ["pay", "decline", "leave"]) expect(body).toContain(`value="${action}"`);
  expect(await ask("POST", "leave")).toMatchObject({ status: 303, headers: { location: wanted.returnUrl } });
  expect(await provider?.readPayment(checkout?.id ?? "")).toMatchObject({ state: "open" });
});

test("is off if the settings say so", () => {
  expect(payment.open({ SANDBOX_PAYMENTS: "off" }, { onReport: async () => {}, dataDir: null })).toBeNull();
});
