import { z } from "zod";
import { hoursAsked, hoursProblems } from "./call-hours.ts";
import { Call, CallParams, TypedNumber } from "./calls.ts";
import { endpoint } from "./endpoint.ts";
import { CallSid, Id } from "./identifiers.ts";
import { limitProblems } from "./problem.ts";

const numberOrTeammate = ({ phoneNumber, userId }: { phoneNumber?: string | undefined; userId?: string | undefined }) =>
  (phoneNumber === undefined) !== (userId === undefined);

export const transferCall = endpoint({
  method: "POST",
  path: "/v1/calls/{callSid}/transfer",
  summary:
    "Send the other end of an answered call to another number, and the call ends once that has taken it; or to a teammate, whose call it then is",
  access: "member",
  audit: "call.transferred",
  params: CallParams,
  body: z
    .object({
      phoneNumber: TypedNumber.optional(),
      leadId: Id.optional().describe("The lead that is meant; without it, those who have the number are told"),
      userId: Id.optional().describe("A teammate, whose browser rings; instead of a number"),
      ...hoursAsked,
    })
    .refine(numberOrTeammate, "Give a phoneNumber or a userId."),
  success: [200, Call],
  problems: [
    "teammate-unavailable",
    "phone-number-invalid",
    "own-number",
    "not-found",
    "call-ended",
    "not-supported",
    "transfer-in-progress",
    ...limitProblems,
    "do-not-call",
    ...hoursProblems,
  ],
});

export const takeBackCall = endpoint({
  method: "DELETE",
  path: "/v1/calls/{callSid}/transfer",
  summary: "Take back a call that rings for a teammate: you go on talking",
  access: "member",
  audit: "call.taken-back",
  params: CallParams,
  success: [204, null],
  problems: ["not-found", "call-ended", "call-taken", "not-supported"],
});

export const Teammate = z.object({
  userId: Id,
  firstName: z.string(),
  lastName: z.string(),
  presence: z
    .enum(["free", "in-call", "away"])
    .describe(
      "free: a call can be sent to them; in-call: they are in a call, or a teammate rings them; away: Leadline is not open in any browser of theirs",
    ),
});
export type Teammate = z.infer<typeof Teammate>;

/** The `carrier` of calls between teammates, which are free: their audio stays on the server. */
export const teammateCarrier = "teammate";

export const listTeammates = endpoint({
  method: "GET",
  path: "/v1/teammates",
  summary: "List the others of your active organisation, and whether they can take a call",
  access: "member",
  audit: null,
  success: [200, z.array(Teammate)],
  problems: [],
});

export const consultInCall = endpoint({
  method: "POST",
  path: "/v1/calls/{callSid}/consultation",
  summary: "Put an answered call on hold and call a number or a teammate beside it, on your second line",
  access: "member",
  audit: "call.consulted",
  params: CallParams,
  body: z
    .object({
      phoneNumber: TypedNumber.optional(),
      leadId: Id.optional().describe("The lead that is called; without it, the one that has the number, if it is one"),
      userId: Id.optional().describe("A teammate, whose browser rings; instead of a number"),
      ...hoursAsked,
    })
    .refine(numberOrTeammate, "Give a phoneNumber or a userId."),
  success: [201, z.object({ callSid: CallSid })],
  problems: [
    "teammate-unavailable",
    "phone-number-invalid",
    "own-number",
    "not-found",
    "call-ended",
    "call-in-progress",
    "not-supported",
    "transfer-in-progress",
    "carrier-unreachable",
    "media-unavailable",
    ...limitProblems,
    "do-not-call",
    ...hoursProblems,
    "balance-too-low",
  ],
});

export const joinCalls = endpoint({
  method: "POST",
  path: "/v1/calls/{callSid}/join",
  summary: "Join your two calls: everybody hears everybody else",
  access: "member",
  audit: "call.joined",
  params: CallParams,
  success: [200, Call],
  problems: ["not-found", "call-ended", "not-supported", "transfer-in-progress"],
});

/** Both calls are charged until either far end hangs up, or the carrier connects them without Leadline. */
export const completeTransfer = endpoint({
  method: "POST",
  path: "/v1/calls/{callSid}/complete-transfer",
  summary: "Leave this call and the one on your other line to each other",
  access: "member",
  audit: "call.transfer-completed",
  params: CallParams,
  success: [200, Call],
  problems: ["not-found", "call-ended", "not-supported", "transfer-in-progress"],
});
