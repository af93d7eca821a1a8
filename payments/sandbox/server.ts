import { randomUUID } from "node:crypto";
import { join } from "node:path";
import type { AdapterAnswer, AdapterRequest } from "@leadline/adapter-kit/adapter-route";
import { PaymentError, type PaymentModule, type PaymentReport } from "@leadline/adapter-kit/payment";
import { checkoutPage, missingPage } from "./checkout-page.ts";
import { settings } from "./settings.ts";
import { openStore, type SandboxPayment } from "./store.ts";

const id = "sandbox-payments";
const pagesPath = "/checkouts/";

/** A payment provider on this server: its page pays, declines or cancels, and no money moves. */
export const payment: PaymentModule<typeof settings> = {
  id,
  name: "Sandbox payments",
  settings,
  open({ SANDBOX_PAYMENTS: on }, { onReport, dataDir }) {
    if (on === "off") return null;
    const store = openStore(dataDir === null ? null : join(dataDir, "sandbox-payments.json"));
    const urlOf = ({ id: own, returnUrl }: SandboxPayment): string =>
      new URL(`/api/adapters/${id}${pagesPath}${own}`, returnUrl).href;
    return {
      movesMoney: false,
      checkoutStays: true,
      routes: [
        {
          methods: ["GET", "POST"],
          path: `${pagesPath}*`,
          caller: "browser",
          answer: (request) => answerPage(request, { store, onReport }),
        },
      ],
      async startCheckout({ reference, amountMicros, description, returnUrl, savesMethod }) {
        const earlier = store.findByReference(reference);
        const started: SandboxPayment = earlier ?? {
          id: randomUUID(),
          reference,
          amountMicros,
          description,
          returnUrl,
          state: "open",
          refundedMicros: 0,
          disputed: false,
          savesMethod,
          cardDeclines: false,
        };
        if (started.amountMicros !== amountMicros)
          throw new PaymentError("refused", "This payment was started with another amount.");
        if (!earlier) store.put(started);
        return { id: started.id, url: urlOf(started) };
      },
      savedMethods: {
        async charge({ reference, amountMicros, description, savedMethod }) {
          const card = store.find(savedMethod);
          if (!card?.savesMethod || card.state !== "paid")
            throw new PaymentError("refused", "The sandbox doesn’t know this card.");
          const earlier = store.findByReference(reference);
          if (earlier && earlier.amountMicros !== amountMicros)
            throw new PaymentError("refused", "This payment was started with another amount.");
          const charged: SandboxPayment = earlier ?? {
            ...card,
            id: randomUUID(),
            reference,
            amountMicros,
            description,
            state: card.cardDeclines ? "declined" : "paid",
            refundedMicros: 0,
            disputed: false,
            savesMethod: false,
          };
          if (!earlier) store.put(charged);
          return { id: charged.id };
        },
        async find({ reference }) {
          const found = store.findByReference(reference);
          return found ? { id: found.id } : null;
        },
      },
      async cancel(checkoutId) {
        const found = store.find(checkoutId);
        if (found?.state === "open") store.put({ ...found, state: "expired" });
      },
      async readPayment(checkoutId) {
        const found = store.find(checkoutId);
        if (!found) throw new PaymentError("refused", "The sandbox doesn’t know this payment.");
        const { state, amountMicros, refundedMicros, disputed, savesMethod } = found;
        const isPaid = state === "paid";
        return {
          state,
          paidMicros: isPaid ? amountMicros : 0,
          refundedMicros,
          chargedBackMicros: disputed ? amountMicros - refundedMicros : 0,
          method: isPaid ? "Sandbox card" : null,
          savedMethod: isPaid && savesMethod ? found.id : null,
        };
      },
    };
  },
};

const changes: Record<string, (payment: SandboxPayment) => Partial<SandboxPayment> | null> = {
  pay: ({ state }) => (state === "open" ? { state: "paid" } : null),
  decline: ({ state }) => (state === "open" ? { state: "declined" } : null),
  refund: ({ state, amountMicros, disputed }) =>
    state === "paid" && !disputed ? { refundedMicros: amountMicros } : null,
  dispute: ({ state, disputed }) => (state === "paid" && !disputed ? { disputed: true } : null),
  win: ({ disputed }) => (disputed ? { disputed: false } : null),
  "refuse-card": ({ savesMethod }) => (savesMethod ? { cardDeclines: true } : null),
  "accept-card": ({ savesMethod }) => (savesMethod ? { cardDeclines: false } : null),
};

async function answerPage(
  { method, url, body }: AdapterRequest,
  { store, onReport }: { store: ReturnType<typeof openStore>; onReport: (report: PaymentReport) => Promise<void> },
): Promise<AdapterAnswer> {
  const html = { "content-type": "text/html; charset=utf-8", "cache-control": "no-store" };
  const found = store.find(url.slice(pagesPath.length).split("?", 1)[0] ?? "");
  if (!found) return { status: 404, headers: html, body: missingPage };
  if (method === "GET") return { status: 200, headers: html, body: checkoutPage(found) };
  const action = new URLSearchParams(body.toString()).get("action") ?? "";
  const change = changes[action]?.(found);
  if (change) {
    store.put({ ...found, ...change });
    // If this fails, Leadline asks for the payment's state by itself.
    await onReport({ eventId: randomUUID(), reference: found.reference }).catch(() => {});
  }
  const isOfPayer = ["pay", "decline", "leave"].includes(action);
  return { status: 303, headers: { location: isOfPayer ? found.returnUrl : "?" }, body: "" };
}
