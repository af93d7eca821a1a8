import { z } from "zod";
import { endpoint } from "./endpoint.ts";

/** A number from the server's list, E.164. */
const GivenNumber = z.string().regex(/^\+[1-9]\d{6,14}$/, "Choose one of the listed numbers.");

/** The caller ID for a call to be started. */
export const ChosenCallerId = GivenNumber.optional().describe(
  "The number that the callee sees: one listed by GET /v1/caller-ids. Default: the automatic one",
);

/** The rule that chose the caller ID, in order of precedence. */
export const CallerIdReason = z.enum([
  "chosen",
  "local-presence",
  "member-default",
  "organisation-default",
  "provider",
]);
export type CallerIdReason = z.infer<typeof CallerIdReason>;

export const CallerIds = z.object({
  numbers: z
    .array(z.object({ number: z.string().describe("E.164"), label: z.string().nullable() }))
    .describe("Numbers that a call can show now: owned or verified, and known to the carrier in use"),
  automatic: z
    .object({
      number: z.string().nullable().describe("E.164; null if the provider decides"),
      reason: CallerIdReason,
    })
    .describe("What the callee sees if no number is chosen"),
  memberDefault: z.string().nullable().describe("Your own default; ignored while it isn’t one of the numbers"),
  localPresence: z
    .boolean()
    .describe("Whether calls show a number with the callee’s area code, if the organisation has one"),
});
export type CallerIds = z.infer<typeof CallerIds>;

export const readCallerIds = endpoint({
  method: "GET",
  path: "/v1/caller-ids",
  summary: "Read which numbers your calls can show, and which one they show if you choose none",
  access: "analyst",
  audit: null,
  query: z.object({
    phoneNumber: z.string().trim().max(40).optional().describe("The callee, E.164; decides the local number"),
  }),
  success: [200, CallerIds],
  problems: ["carrier-unreachable"],
});
export const chooseDefaultCallerId = endpoint({
  method: "PUT",
  path: "/v1/caller-ids/default",
  summary: "Choose the number that your own calls show; null uses the organisation's",
  access: "member",
  audit: "caller-id.default-chosen",
  body: z.object({ number: GivenNumber.nullable() }),
  success: [200, CallerIds],
  problems: ["carrier-unreachable"],
});
export const changeLocalPresence = endpoint({
  method: "PUT",
  path: "/v1/caller-ids/local-presence",
  summary: "Choose whether calls show a number with the callee’s area code, if the organisation has one",
  access: "admin",
  audit: "caller-id.local-presence-changed",
  body: z.object({ enabled: z.boolean() }),
  success: [200, CallerIds],
  problems: ["carrier-unreachable"],
});
