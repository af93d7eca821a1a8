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
  summary: "Note what came of a call, during or after it; fields left out stay as they are",
  access: "member",
  audit: "call.disposed",
  params: CallParams,
  body: CallDispositionInput,
  success: [200, Call],
  problems: ["not-found", "not-allowed"],
});
