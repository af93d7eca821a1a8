import { PaymentError } from "@leadline/adapter-kit/payment";
import { Stripe } from "stripe";

/** Repeating the request is safe: it has an idempotency key, or only reads. */
export async function orPaymentError<T>(
  asked: Promise<T>,
  { keyFault = "refused" }: { keyFault?: PaymentError["fault"] } = {},
): Promise<T> {
  try {
    return await asked;
  } catch (error) {
    throw toPaymentError(error, keyFault);
  }
}

function toPaymentError(error: unknown, keyFault: PaymentError["fault"]): unknown {
  const { errors } = Stripe;
  if (!(error instanceof errors.StripeError)) return error;
  if (error instanceof errors.StripeAuthenticationError || error instanceof errors.StripePermissionError)
    return new PaymentError(keyFault, "Stripe doesn’t accept this server’s key. Ask its administrator to check it.", {
      cause: error,
    });
  const { statusCode } = error;
  // 409: a request with the same idempotency key is still in progress.
  const mayWorkLater = statusCode === undefined || statusCode >= 500 || statusCode === 429 || statusCode === 409;
  return mayWorkLater
    ? new PaymentError("unreachable", "Stripe isn’t responding. Try again in a moment.", { cause: error })
    : new PaymentError("refused", "Stripe refused the payment.", { cause: error });
}
