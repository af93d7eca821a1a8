import type { WantedCharge } from "@leadline/adapter-kit/payment";
import { Stripe } from "stripe";
import { readSavedMethod } from "./standing.ts";

/** An off-session payment, confirmed at once. A card that needs its payer, for 3-D Secure, is declined. */
export async function chargeSavedMethod(
  stripe: Stripe,
  { reference, amountMicros, description, savedMethod }: WantedCharge,
): Promise<{ id: string }> {
  try {
    const { id } = await stripe.paymentIntents.create(
      {
        amount: amountMicros / 10_000,
        currency: "usd",
        ...readSavedMethod(savedMethod),
        off_session: true,
        confirm: true,
        description,
        metadata: { reference },
      },
      { idempotencyKey: reference },
    );
    return { id };
  } catch (error) {
    // A decline is an error that names its payment.
    if (error instanceof Stripe.errors.StripeCardError && error.payment_intent) return { id: error.payment_intent.id };
    throw error;
  }
}
