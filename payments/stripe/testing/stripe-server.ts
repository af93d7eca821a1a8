import { randomBytes } from "node:crypto";
import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { parse as parseQuery } from "qs";
import { contract } from "./contract.ts";
import { type Session, showCharge, showDispute, showIntent, showSession } from "./show-session.ts";

export interface SentEvent {
  id: string;
  type: string;
  object: Record<string, unknown>;
}

interface Stored {
  sessions: Map<string, Session>;
  /** By idempotency key. */
  byKey: Map<string, { body: string; id: string }>;
  /** Customers whose charges are declined. */
  declining: Set<string>;
}

interface ChargeAsked {
  amount: string;
  customer: string;
  metadata: Record<string, string>;
}

const newId = (prefix: string): string => `${prefix}_${randomBytes(12).toString("hex")}`;

/** Stripe's API as far as a checkout needs it. Each request is validated with Stripe's own contract, if there is a copy. */
export async function startStripeServer(key: string) {
  const stored: Stored = { sessions: new Map(), byKey: new Map(), declining: new Set() };
  const { sessions, byKey, declining } = stored;
  const violations: string[] = [];
  const events: SentEvent[] = [];
  let judged = 0;

  function create(body: string, idempotencyKey: string): [number, Record<string, unknown>] {
    const earlier = byKey.get(idempotencyKey);
    if (earlier) {
      if (earlier.body !== body) return failure(400, "idempotency_error", "The key was used with other parameters.");
      const session = sessions.get(earlier.id);
      return session ? [200, showSession(session, false)] : failure(500, "api_error", "The session is gone.");
    }
    // Guarantee: the contract has validated the body. Without a copy of it, later tests notice missing fields.
    const asked = parseQuery(body, { depth: 10 }) as never as {
      metadata: Record<string, string>;
      payment_intent_data: { metadata: Record<string, string>; setup_future_usage?: string };
      line_items: { quantity: string; price_data: { unit_amount: string } }[];
    };
    const id = newId("cs_test");
    const amount = asked.line_items.reduce((sum, item) => sum + +item.quantity * +item.price_data.unit_amount, 0);
    const session: Session = {
      id,
      status: "open",
      payment_status: "unpaid",
      amount_total: amount,
      metadata: asked.metadata,
      intentMetadata: asked.payment_intent_data.metadata,
      intent: newId("pi"),
      customer: asked.payment_intent_data.setup_future_usage === undefined ? null : newId("cus"),
      isCharge: false,
      url: `https://checkout.stripe.com/c/pay/${id}`,
      refunded: 0,
      dispute: null,
    };
    sessions.set(id, session);
    byKey.set(idempotencyKey, { body, id });
    return [200, showSession(session, false)];
  }

  function act(sessionId: string, action: string): void {
    const session = sessions.get(sessionId);
    if (!session) throw new Error(`there is no session ${sessionId}`);
    const sent = actions[action]?.(session);
    if (sent) events.push({ id: newId("evt"), ...sent });
  }

  function answer(method: string, path: string, search: string, body: string, idempotencyKey: string) {
    if (path.endsWith("/expire")) {
      const session = sessions.get(path.split("/").at(-2) ?? "");
      if (session?.status !== "open") return failure(400, "invalid_request_error", "The session is not open.");
      act(session.id, "decline");
      return [200, showSession(session, false)] as const;
    }
    if (path === "/v1/payment_intents" && method === "POST") return charge(stored, body, idempotencyKey);
    if (method === "POST") return create(body, idempotencyKey);
    const query = parseQuery(search);
    const last = path.split("/").at(-1) ?? "";
    if (path.startsWith("/v1/checkout/sessions/")) {
      const session = sessions.get(last);
      return session ? ([200, showSession(session, query["expand"] !== undefined)] as const) : missing();
    }
    if (path === "/v1/payment_intents") {
      const data = [...sessions.values()].filter(({ customer }) => customer === query["customer"]).map(showIntent);
      return [200, { object: "list", url: path, has_more: false, data }] as const;
    }
    const ofIntent = (id: unknown) => [...sessions.values()].find(({ intent }) => intent === id);
    if (path === "/v1/disputes") {
      const found = ofIntent(query["payment_intent"]);
      const data = found && found.dispute !== null ? [showDispute(found)] : [];
      return [200, { object: "list", url: path, has_more: false, data }] as const;
    }
    const found = ofIntent(last);
    return found ? ([200, showIntent(found)] as const) : missing();
  }

  const server = createServer((incoming, outgoing) => {
    void (async () => {
      const body = await text(incoming);
      const { method = "", headers } = incoming;
      const [path = "", query = ""] = (incoming.url ?? "").split("?");
      judged += 1;
      violations.push(...(contract?.violations({ method, path, query, body }) ?? []));
      const [status, answered] =
        headers.authorization === `Bearer ${key}`
          ? answer(method, path, query, body, String(headers["idempotency-key"]))
          : failure(401, "invalid_request_error", "Invalid API Key provided.");
      outgoing.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(answered));
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const listening = server.address();

  return {
    address: new URL(`http://127.0.0.1:${typeof listening === "object" ? listening?.port : 0}`),
    violations,
    judged: () => judged,
    act,
    declineCharges: (sessionId: string) => void declining.add(sessions.get(sessionId)?.customer ?? ""),
    /** As Stripe does after a day. */
    forgetKeys: () => byKey.clear(),
    takeEvents: (): SentEvent[] => events.splice(0),
    async close() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

/** An off-session payment intent that is confirmed at once. */
function charge(
  { sessions, byKey, declining }: Stored,
  body: string,
  idempotencyKey: string,
): [number, Record<string, unknown>] {
  const earlier = byKey.get(idempotencyKey);
  if (earlier && earlier.body !== body)
    return failure(400, "idempotency_error", "The key was used with other parameters.");
  const asked = parseQuery(body, { depth: 10 }) as never as ChargeAsked;
  const owner = [...sessions.values()].find(({ customer, isCharge }) => customer === asked.customer && !isCharge);
  if (owner === undefined) return failure(400, "invalid_request_error", "No such customer.");
  const isDeclined = declining.has(asked.customer);
  const made: Session = (earlier && sessions.get(earlier.id)) ?? {
    ...owner,
    id: newId("pi"),
    intent: "",
    status: "complete",
    payment_status: isDeclined ? "unpaid" : "paid",
    amount_total: +asked.amount,
    intentMetadata: asked.metadata,
    isCharge: true,
    refunded: 0,
    dispute: null,
  };
  made.intent = made.id;
  sessions.set(made.id, made);
  byKey.set(idempotencyKey, { body, id: made.id });
  if (made.payment_status === "paid") return [200, showIntent(made)];
  const error = { type: "card_error", code: "card_declined", message: "Your card was declined." };
  return [402, { error: { ...error, payment_intent: showIntent(made) } }];
}

const failure = (status: number, type: string, message: string): [number, Record<string, unknown>] => [
  status,
  { error: { type, message } },
];
const missing = () => failure(404, "invalid_request_error", "No such object.");

/** What happens at Stripe, and the event it then sends. Null: nothing, because the session is over. */
const actions: Record<string, (session: Session) => Omit<SentEvent, "id"> | null> = {
  pay(session) {
    if (session.status !== "open") return null;
    Object.assign(session, { status: "complete", payment_status: "paid" });
    return { type: "checkout.session.completed", object: showSession(session, false) };
  },
  decline(session) {
    if (session.status !== "open") return null;
    session.status = "expired";
    return { type: "checkout.session.expired", object: showSession(session, false) };
  },
  refund(session) {
    session.refunded = session.amount_total;
    return { type: "charge.refunded", object: showCharge(session) };
  },
  dispute(session) {
    session.dispute = "needs_response";
    return { type: "charge.dispute.created", object: showDispute(session) };
  },
  win: (session) => closeDispute(session, "won"),
  lose: (session) => closeDispute(session, "lost"),
};

function closeDispute(session: Session, dispute: "won" | "lost"): Omit<SentEvent, "id"> {
  session.dispute = dispute;
  return { type: "charge.dispute.closed", object: showDispute(session) };
}
