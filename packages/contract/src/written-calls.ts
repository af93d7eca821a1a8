import { z } from "zod";
import { CallParams } from "./calls.ts";
import { endpoint } from "./endpoint.ts";
import { Id } from "./identifiers.ts";

export const chooseLeadOfCall = endpoint({
  method: "PUT",
  path: "/v1/calls/{callSid}/activity",
  summary:
    "Choose or change the lead of a call whose number several leads have; further calls with that number are assigned to it",
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
  summary: "Retry logging a call in its CRM, after the CRM has refused it",
  access: "member",
  audit: "call.write-retried",
  params: CallParams,
  success: [204, null],
  problems: ["not-found"],
});
