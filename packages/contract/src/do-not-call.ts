import { z } from "zod";
import { endpoint } from "./endpoint.ts";
import { Id, Timestamp } from "./identifiers.ts";

export const DoNotCallEntry = z.object({
  phoneNumber: z.string().describe("E.164"),
  createdAt: Timestamp,
  userId: Id.describe("Who added it to the list"),
  userName: z.string(),
  leads: z
    .array(z.object({ id: Id, firstName: z.string(), lastName: z.string() }))
    .describe("The leads with this number"),
});
export type DoNotCallEntry = z.infer<typeof DoNotCallEntry>;

export const AddedDoNotCallEntry = DoNotCallEntry.extend({
  alreadyListed: z
    .boolean()
    .describe("It was on the list before this request, so undoing the request must not remove it"),
});
export type AddedDoNotCallEntry = z.infer<typeof AddedDoNotCallEntry>;

export const DoNotCallEntryInput = z.object({
  phoneNumber: z.string().trim().min(1, "Enter a phone number.").max(40, "That is too long for a phone number."),
});

export const listDoNotCall = endpoint({
  method: "GET",
  path: "/v1/do-not-call",
  summary:
    "List the numbers that nobody in the organisation may call, newest first; the Link header (rel=next) has the next page",
  access: "analyst",
  audit: null,
  query: z.object({
    phoneNumber: z.string().trim().max(40).optional().describe("A whole number, or some of its digits"),
    limit: z.coerce.number().int().min(1).max(200).default(50),
    before: z.coerce.number().int().min(1).optional().describe("From a Link header"),
  }),
  success: [200, z.array(DoNotCallEntry)],
  problems: [],
});
export const addToDoNotCall = endpoint({
  method: "POST",
  path: "/v1/do-not-call",
  summary: "Add a number to the list, so that calls to it are refused; an existing entry stays",
  access: "member",
  audit: "do-not-call.added",
  body: DoNotCallEntryInput,
  success: [201, AddedDoNotCallEntry],
  problems: ["phone-number-invalid", "quota-reached"],
});
export const removeFromDoNotCall = endpoint({
  method: "DELETE",
  path: "/v1/do-not-call/{phoneNumber}",
  summary: "Remove a number (E.164) from the list; for the person who added it, or an admin",
  access: "member",
  audit: "do-not-call.removed",
  params: z.object({ phoneNumber: z.string().max(40) }),
  success: [204, null],
  problems: ["not-found", "not-allowed"],
});
