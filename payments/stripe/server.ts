import type { PaymentModule } from "@leadline/adapter-kit/payment";
import { Stripe } from "stripe";
import { orPaymentError } from "./errors.ts";
import { settings } from "./settings.ts";
import { savedMethodsOf } from "./saved-methods.ts";
import { isIntent, readPayment } from "./read-payment.ts";
import { webhookRoute } from "./webhook.ts";

const microsACent = 10_000;
const testKey = /^(sk|rk)_test_/;

/** Stripe Checkout, through Stripe's own client: the card is entered on Stripe's page and never reaches this server. */
export const payment: PaymentModule<typeof settings> = {
  id: "stripe",
  name: "Stripe",
  settings,
  open({ STRIPE_SECRET_KEY: key, STRIPE_WEBHOOK_SECRET: webhookSecret }, { onReport, standIn }) {
    if (key === undefined || webhookSecret === undefined) return null;
    const stripe = new Stripe(key, {
      maxNetworkRetries: 1,
      timeout: 8_000,
      telemetry: false,
      ...(standIn && { protocol: "http", host: standIn.hostname, port: standIn.port }),
    });
    return {
      movesMoney: !testKey.test(key),
      routes: [webhookRoute({ stripe, webhookSecret, onReport })],
      async startCheckout({ reference, amountMicros, description, returnUrl, savesMethod }) {
        const session = await orPaymentError(
          stripe.checkout.sessions.create(
            {
              mode: "payment",
              client_reference_id: reference,
              metadata: { reference },
              payment_intent_data: {
                metadata: { reference },
                description,
                ...(savesMethod && { setup_future_usage: "off_session" }),
              },
              ...(savesMethod && { customer_creation: "always" }),
              line_items: [
                {
                  quantity: 1,
                  price_data: {
                    currency: "usd",
                    unit_amount: amountMicros / microsACent,
                    product_data: { name: description },
                  },
                },
              ],
              success_url: returnUrl,
              cancel_url: returnUrl,
            },
            { idempotencyKey: reference },
          ),
        );
        if (session.url === null) throw new Error("Stripe started a checkout without a page");
        return { id: session.id, url: session.url };
      },
      savedMethods: savedMethodsOf(stripe),
      async cancel(checkoutId) {
        // A payment intent without the payer is paid or declined at once, and has no page to pay on.
        if (isIntent(checkoutId)) return;
        const isOpen = async () => (await stripe.checkout.sessions.retrieve(checkoutId)).status === "open";
        if (await orPaymentError(isOpen())) await orPaymentError(stripe.checkout.sessions.expire(checkoutId));
      },
      readPayment: (checkoutId) => orPaymentError(readPayment(stripe, checkoutId)),
    };
  },
};
