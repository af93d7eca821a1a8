import type { AdapterRoute } from "@leadline/adapter-kit/adapter-route";
import type { PaymentReport } from "@leadline/adapter-kit/payment";
import type { Stripe } from "stripe";
import { z } from "zod";

/** Sessions and charges have our metadata. Disputes and refunds only name their payment intent, which has it. */
const Subject = z.object({
  metadata: z.record(z.string(), z.string()).nullish(),
  payment_intent: z.union([z.string(), z.object({ id: z.string() }).transform(({ id }) => id)]).nullish(),
});

export function webhookRoute({
  stripe,
  webhookSecret,
  onReport,
}: {
  stripe: Stripe;
  webhookSecret: string;
  onReport: (report: PaymentReport) => Promise<void>;
}): AdapterRoute {
  return {
    methods: ["POST"],
    path: "/webhook",
    caller: "service",
    async answer({ headers, body }) {
      const signature = headers["stripe-signature"];
      let event: Stripe.Event;
      try {
        // Refuses a signature older than five minutes.
        event = stripe.webhooks.constructEvent(body, signature ?? "", webhookSecret);
      } catch {
        return plain(400, "The signature is missing, wrong or too old.");
      }
      const reference = await referenceOf(stripe, event);
      // The same account may be used for other things.
      if (reference !== null) await onReport({ eventId: event.id, reference });
      return plain(200, "Received.");
    },
  };
}

async function referenceOf(stripe: Stripe, { data }: Stripe.Event): Promise<string | null> {
  const subject = Subject.safeParse(data.object).data;
  if (subject?.metadata?.["reference"]) return subject.metadata["reference"];
  if (!subject?.payment_intent) return null;
  const intent = await stripe.paymentIntents.retrieve(subject.payment_intent);
  return intent.metadata["reference"] ?? null;
}

const plain = (status: number, body: string) => ({ status, headers: { "content-type": "text/plain" }, body });
