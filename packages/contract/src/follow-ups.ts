import { z } from "zod";
import { endpoint } from "./endpoint.ts";
import { followUpFields, givenFollowUp } from "./follow-up-fields.ts";
import { CallSid, GivenDay, Id, PutBack, Timestamp } from "./identifiers.ts";

export const FollowUp = z.object({
  ...followUpFields,
  followUpOn: z.iso.date(),
  phoneNumber: z.string().nullable().describe("E.164; null if the lead has no callable number"),
  lead: z.object({ id: Id, firstName: z.string(), lastName: z.string(), phone: z.string() }).nullable(),
  leads: z
    .array(z.object({ id: Id, firstName: z.string(), lastName: z.string() }))
    .describe("For a number's own callback: the leads with the number, as far as a page shows them"),
  note: z.string().describe("The newest note of a call with them; empty if there is none"),
  lastCall: z
    .object({
      callSid: CallSid,
      createdAt: Timestamp,
      userName: z.string(),
      note: z.string(),
      outcomeName: z.string().nullable(),
    })
    .nullable(),
});
export type FollowUp = z.infer<typeof FollowUp>;

/** The reminders of one person, shown while Leadline is open. */
export const DueFollowUps = z.object({
  userId: Id.describe("Who is to call back"),
  count: z.int(),
  first: z.object({
    leadId: Id.nullable(),
    name: z.string().describe("Empty for a number of no lead, or of several"),
    phoneNumber: z.string().nullable(),
    followUpTime: followUpFields.followUpTime,
  }),
});
export type DueFollowUps = z.infer<typeof DueFollowUps>;

export const setFollowUp = endpoint({
  method: "PUT",
  path: "/v1/follow-ups/{phoneNumber}",
  summary: "Set or remove a number's callback day; the lead's own if exactly one lead has the number",
  access: "member",
  audit: "follow-up.set",
  params: z.object({ phoneNumber: z.string().max(40).describe("E.164, from a call or a lead") }),
  body: z.object({
    ...givenFollowUp("Choose a day."),
    followUpOn: GivenDay("Choose a day.").nullable(),
    putBack: PutBack,
  }),
  success: [204, null],
  problems: ["not-found"],
});
export const listFollowUps = endpoint({
  method: "GET",
  path: "/v1/follow-ups",
  summary: "List whom to call back, longest due first: leads with a callback day, and numbers that belong to no lead",
  access: "analyst",
  audit: null,
  query: z.object({
    until: GivenDay("Enter a day as YYYY-MM-DD.").optional().describe("Only days up to this one"),
    owner: z.enum(["me"]).optional().describe("Only the caller's own callbacks"),
    limit: z.coerce.number().int().min(1).max(200).default(50),
  }),
  success: [200, z.array(FollowUp)],
  problems: [],
});
