import { z } from "zod";

export const settings = z.object({
  apiKey: z
    .string()
    .trim()
    .regex(/^KEY[0-9A-Za-z_-]{20,120}$/, "An API key begins with KEY.")
    .meta({
      title: "API key",
      description: "In the Telnyx Portal under Account, Keys & credentials, API keys.",
      secret: true,
    }),
});
