import type { PaymentLab } from "@leadline/adapter-kit/payment-conformance";
import { Stripe } from "stripe";
import { payment } from "../server.ts";
import { contract } from "./contract.ts";
import { type SentEvent, startStripeServer } from "./stripe-server.ts";

const key = "sk_test_lab";
const secret = "whsec_lab";

/** A server in place of Stripe's, which signs its webhooks with Stripe's own generator. */
export async function startLab(): Promise<PaymentLab & { isJudged: boolean; violations: string[]; judged(): number }> {
  const server = await startStripeServer(key);
  const post = (event: SentEvent, signedWith: string) => {
    const { id, type, object } = event;
    const payload = JSON.stringify({ id, object: "event", type, data: { object } });
    const signature = Stripe.webhooks.generateTestHeaderString({ payload, secret: signedWith });
    return { url: "/webhook", headers: { "stripe-signature": signature }, body: Buffer.from(payload) };
  };
  const given = { STRIPE_SECRET_KEY: key, STRIPE_WEBHOOK_SECRET: secret };
  return {
    module: payment,
    open: (onReport) => {
      const provider = payment.open(given, { onReport, dataDir: null, standIn: server.address });
      if (!provider) throw new Error("the settings don't turn it on");
      return provider;
    },
    declineCharges: async (checkout) => server.declineCharges(checkout.id),
    forgetRequests: server.forgetKeys,
    act: async (checkout, action) => server.act(checkout.id, action),
    takeReports: () => server.takeEvents().map((event) => post(event, secret)),
    forge: (reference) =>
      post(
        { id: "evt_forged", type: "checkout.session.completed", object: { metadata: { reference } } },
        "whsec_other",
      ),
    isJudged: contract !== null,
    violations: server.violations,
    judged: server.judged,
    close: server.close,
  };
}
