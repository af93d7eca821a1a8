import { z } from "zod";

export const settings = z.object({
  /** No money moves, so an installation that bills real calls turns it off. */
  SANDBOX_PAYMENTS: z.enum(["on", "off"], { error: "must be on or off" }).default("on"),
});
