import { z } from "zod";

/** Both or neither: without the webhook's secret, reports can't be verified. */
export const settings = z
  .object({
    STRIPE_SECRET_KEY: z
      .string()
      .regex(/^(sk|rk)_/, "must be a secret or restricted key, which starts with sk_ or rk_")
      .optional(),
    STRIPE_WEBHOOK_SECRET: z
      .string()
      .regex(/^whsec_/, "must be a signing secret, which starts with whsec_")
      .optional(),
  })
  .refine((given) => (given.STRIPE_SECRET_KEY === undefined) === (given.STRIPE_WEBHOOK_SECRET === undefined), {
    path: ["STRIPE_WEBHOOK_SECRET"],
    message: "and STRIPE_SECRET_KEY must be set together, or neither",
  });
