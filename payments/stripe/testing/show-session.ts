import { contract } from "./contract.ts";

export interface Session {
  id: string;
  status: "open" | "complete" | "expired";
  payment_status: "unpaid" | "paid";
  amount_total: number;
  metadata: Record<string, string>;
  intentMetadata: Record<string, string>;
  intent: string;
  /** Null if its payment method isn't saved. */
  customer: string | null;
  /** Charged off-session. */
  isCharge: boolean;
  url: string;
  refunded: number;
  dispute: "needs_response" | "won" | "lost" | null;
}

const fixture = (kind: string): Record<string, unknown> => contract?.fixture(kind) ?? {};

export function showSession(session: Session, expanded: boolean): Record<string, unknown> {
  const { id, status, payment_status, amount_total, metadata, url } = session;
  const shown = { id, object: "checkout.session", status, payment_status, amount_total, metadata };
  const payment_intent = status !== "complete" ? null : expanded ? showIntent(session) : session.intent;
  const page = status === "open" ? url : null;
  const { customer } = session;
  const always = { currency: "usd", mode: "payment", customer };
  return { ...fixture("checkout.session"), ...shown, ...always, payment_intent, url: page };
}

export function showIntent(session: Session): Record<string, unknown> {
  const { intent: id, intentMetadata: metadata, payment_status, amount_total: amount } = session;
  const isPaid = payment_status === "paid";
  const status = isPaid ? "succeeded" : session.isCharge ? "requires_payment_method" : "processing";
  const latest_charge = isPaid ? showCharge(session) : null;
  const { customer, isCharge } = session;
  const saved = {
    customer,
    payment_method: `pm_${customer ?? id}`,
    setup_future_usage: customer !== null && !isCharge ? "off_session" : null,
  };
  const shown = { id, object: "payment_intent", amount, status, metadata, latest_charge };
  return { ...fixture("payment_intent"), ...saved, ...shown };
}

export function showCharge(session: Session): Record<string, unknown> {
  const { intent, intentMetadata: metadata, refunded, dispute, amount_total: amount } = session;
  const payment_method_details = { type: "card", card: { brand: "visa", last4: "4242" } };
  const shown = { amount, amount_refunded: refunded, disputed: dispute !== null, payment_method_details };
  return { ...fixture("charge"), ...shown, id: `ch_${intent}`, object: "charge", payment_intent: intent, metadata };
}

export const showDispute = ({ intent, dispute, amount_total, refunded }: Session): Record<string, unknown> => ({
  ...fixture("dispute"),
  id: `dp_${intent}`,
  object: "dispute",
  payment_intent: intent,
  status: dispute,
  amount: amount_total - refunded,
});
