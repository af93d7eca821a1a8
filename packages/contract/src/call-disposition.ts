import { z } from "zod";
import { Call, CallParams } from "./calls.ts";
import { endpoint } from "./endpoint.ts";
import { givenFollowUp } from "./follow-up-fields.ts";
import { Id } from "./identifiers.ts";

export const CallDispositionInput = z.object({
  note: z.string().max(5000, "Keep a note under 5,000 characters.").optional(),
  outcomeId: Id.nullish(),
  ...givenFollowUp("Choose a day."),
});
export type CallDispositionInput = z.infer<typeof CallDispositionInput>;

export const setCallDisposition = endpoint({
  method: "PUT",
  path: "/v1/calls/{callSid}/disposition",
  summary: "Record a call's outcome, note or callback, during the call or after it; missing fields stay unchanged",
  access: "member",
  audit: "call.disposed",
  params: CallParams,
  body: CallDispositionInput,
  success: [200, Call],
  problems: ["not-found", "not-allowed"],
});
