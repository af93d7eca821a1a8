import { PaymentError, type SavedMethods, type WantedCharge } from "@leadline/adapter-kit/payment";
import { Stripe } from "stripe";
import { orPaymentError } from "./errors.ts";
import { readSavedMethod } from "./read-payment.ts";

/** An error about the key itself says nothing about what an earlier request charged. */
const unsure = { keyFault: "unreachable" } as const;

export const savedMethodsOf = (stripe: Stripe): SavedMethods => ({
  charge: (wanted) => orPaymentError(charge(stripe, wanted), unsure),
  find: (wanted) => orPaymentError(find(stripe, wanted), unsure),
});

/** An off-session payment that is confirmed at once. A card that requires 3-D Secure is declined. */
async function charge(stripe: Stripe, wanted: WantedCharge): Promise<{ id: string }> {
  const { reference, amountMicros, description, savedMethod } = wanted;
  // Stripe deletes idempotency keys after a day; until then a failed request gets the same failure again.
  const earlier = await find(stripe, wanted);
  if (earlier !== null) return earlier;
  try {
    const { id } = await stripe.paymentIntents.create(
      {
        amount: toCents(amountMicros),
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
    // A decline is an error that contains its payment.
    if (error instanceof Stripe.errors.StripeCardError && error.payment_intent) return { id: error.payment_intent.id };
    throw error;
  }
}

async function find(
  stripe: Stripe,
  { reference, amountMicros, savedMethod }: WantedCharge,
): Promise<{ id: string } | null> {
  const { customer } = readSavedMethod(savedMethod);
  for await (const { id, amount, metadata } of stripe.paymentIntents.list({ customer, limit: 100 })) {
    if (metadata["reference"] !== reference) continue;
    if (amount !== toCents(amountMicros))
      throw new PaymentError("refused", "This payment was started with another amount.");
    return { id };
  }
  return null;
}

const toCents = (micros: number): number => micros / 10_000;
