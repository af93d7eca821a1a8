import { z } from "zod";
import { Timestamp } from "./identifiers.ts";

/** What the carrier shows the callee, and how a call is doing at its carrier before it is put through. */
export const callAtCarrier = {
  shownNumber: z
    .string()
    .nullable()
    .describe(
      "Which of the organisation's numbers the callee of an outbound call sees, E.164; null where the provider chooses, and for any other call",
    ),
  waitsFor: z
    .string()
    .nullable()
    .describe("The carrier whose lines are all taken; the call is placed as soon as one is free"),
  refusal: z.string().nullable().describe("Why the carrier refused the call, as a sentence, if it said"),
};

export const CutOff = z.object({
  at: Timestamp,
  reason: z.enum([
    "spending-limit",
    "call-length-limit",
    "member-spending-limit",
    "member-call-length-limit",
    "balance-used-up",
  ]),
});
