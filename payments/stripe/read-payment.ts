import type { CurrentPayment, PaymentState } from "@leadline/adapter-kit/payment";
import type { Stripe } from "stripe";

const toMicros = (cents: number): number => cents * 10_000;

/** A charge without a checkout is identified by its payment intent. */
export const isIntent = (id: string): boolean => id.startsWith("pi_");

export const readPayment = (stripe: Stripe, id: string): Promise<CurrentPayment> =>
  isIntent(id) ? readIntent(stripe, id) : readSession(stripe, id);

async function readIntent(stripe: Stripe, intentId: string): Promise<CurrentPayment> {
  const intent = await stripe.paymentIntents.retrieve(intentId, { expand: ["latest_charge"] });
  const state = intent.status === "succeeded" ? "paid" : isDeclined(intent) ? "declined" : "open";
  return {
    state,
    paidMicros: state === "paid" ? toMicros(intent.amount) : 0,
    ...(await readCharge(stripe, intent)),
    savedMethod: null,
  };
}

async function readSession(stripe: Stripe, sessionId: string): Promise<CurrentPayment> {
  const session = await stripe.checkout.sessions.retrieve(sessionId, { expand: ["payment_intent.latest_charge"] });
  if (session.currency !== null && session.currency !== "usd")
    throw new Error(`the session ${session.id} is in ${session.currency}`);
  const intent = typeof session.payment_intent === "string" ? null : session.payment_intent;
  const state = stateOf(session, intent);
  return {
    state,
    paidMicros: state === "paid" ? toMicros(session.amount_total ?? 0) : 0,
    ...(await readCharge(stripe, intent)),
    savedMethod: state === "paid" ? savedMethodOf(session, intent) : null,
  };
}

/** What happened to the money after the payment. */
async function readCharge(
  stripe: Stripe,
  intent: Stripe.PaymentIntent | null,
): Promise<Pick<CurrentPayment, "refundedMicros" | "chargedBackMicros" | "method">> {
  const charge = typeof intent?.latest_charge === "string" ? null : (intent?.latest_charge ?? null);
  return {
    refundedMicros: toMicros(charge?.amount_refunded ?? 0),
    chargedBackMicros: intent !== null && charge?.disputed ? await sumChargebacks(stripe, intent.id) : 0,
    method: charge === null ? null : methodOf(charge),
  };
}

/** A session is complete before a bank debit arrives. Only `payment_status` says that the money has arrived. */
function stateOf(session: Stripe.Checkout.Session, intent: Stripe.PaymentIntent | null): PaymentState {
  if (session.payment_status === "paid") return "paid";
  if (session.status === "expired") return "expired";
  if (session.status !== "complete") return "open";
  return isDeclined(intent) ? "declined" : "open";
}

const isDeclined = (intent: Stripe.PaymentIntent | null): boolean =>
  intent?.status === "requires_payment_method" || intent?.status === "canceled";

/** The customer and the payment method, in the form that readSavedMethod parses. */
function savedMethodOf(session: Stripe.Checkout.Session, intent: Stripe.PaymentIntent | null): string | null {
  const [customer, method] = [idOf(session.customer), idOf(intent?.payment_method)];
  return intent?.setup_future_usage === "off_session" && customer && method ? `${customer}/${method}` : null;
}

export function readSavedMethod(savedMethod: string): { customer: string; payment_method: string } {
  const [customer = "", payment_method = ""] = savedMethod.split("/");
  return { customer, payment_method };
}

const idOf = (reference: string | { id: string } | null | undefined): string | undefined =>
  typeof reference === "string" ? reference : reference?.id;

/** An inquiry (`warning_…`) takes no money, and a won dispute returns it. */
const takesMoney = new Set<string>(["needs_response", "under_review", "lost"]);

async function sumChargebacks(stripe: Stripe, intentId: string): Promise<number> {
  const { data } = await stripe.disputes.list({ payment_intent: intentId, limit: 100 });
  return data.filter(({ status }) => takesMoney.has(status)).reduce((sum, { amount }) => sum + toMicros(amount), 0);
}

function methodOf({ payment_method_details: details }: Stripe.Charge): string | null {
  const card = details?.card;
  if (card?.last4) return `${capitalised(card.brand ?? "card")} ending in ${card.last4}`;
  return details ? capitalised(details.type.replaceAll("_", " ")) : null;
}

const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
