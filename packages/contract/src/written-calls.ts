import { z } from "zod";
import { CallParams } from "./calls.ts";
import { endpoint } from "./endpoint.ts";
import { Id } from "./identifiers.ts";

export const chooseLeadOfCall = endpoint({
  method: "PUT",
  path: "/v1/calls/{callSid}/activity",
  summary:
    "Choose whose call it was, of those who share its number, or change that; calls with that number are theirs from now on",
  access: "member",
  audit: "call.sorted",
  params: CallParams,
  body: z.object({ leadId: Id }),
  success: [204, null],
  problems: ["not-found"],
});
export const retryWritingCall = endpoint({
  method: "POST",
  path: "/v1/calls/{callSid}/activity/retry",
  summary: "Write a call to its CRM again, after the CRM has refused it",
  access: "member",
  audit: "call.write-retried",
  params: CallParams,
  success: [204, null],
  problems: ["not-found"],
});
