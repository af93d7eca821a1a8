import { z } from "zod";
import { hoursAsked, hoursProblems } from "./call-hours.ts";
import { ChosenCallerId } from "./caller-ids.ts";
import { Call, CallParams, TypedNumber } from "./calls.ts";
import { endpoint } from "./endpoint.ts";
import { CallSid, Id } from "./identifiers.ts";
import { limitProblems } from "./problem.ts";

const numberOrTeammate = ({ phoneNumber, userId }: { phoneNumber?: string | undefined; userId?: string | undefined }) =>
  (phoneNumber === undefined) !== (userId === undefined);

/** Of a call to a number or a teammate during another. */
const callProblems = [
  "teammate-unavailable",
  "phone-number-invalid",
  "own-number",
  "not-found",
  "call-ended",
  "call-in-progress",
  "not-supported",
  "transfer-in-progress",
  "carrier-unreachable",
  "caller-id-missing",
  "media-unavailable",
  ...limitProblems,
  "do-not-call",
  ...hoursProblems,
  "balance-too-low",
  "rate-unknown",
] as const;

/**
 * In a prepaid organisation, a transfer to a number is a second call, which is paid for like any other: its progress is
 * that of both calls, and they continue without the person once it is answered.
 */
export const transferCall = endpoint({
  method: "POST",
  path: "/v1/calls/{callSid}/transfer",
  summary:
    "Transfer the far end of an answered call to another number, which ends the call once answered, or to a teammate, who takes the call over",
  access: "member",
  audit: "call.transferred",
  params: CallParams,
  body: z
    .object({
      phoneNumber: TypedNumber.optional(),
      leadId: Id.optional().describe("The chosen lead. Default: the leads with the number"),
      userId: Id.optional().describe("A teammate, whose browser rings; instead of a number"),
      ...hoursAsked,
    })
    .refine(numberOrTeammate, "Give a phoneNumber or a userId."),
  success: [200, Call],
  problems: callProblems,
});

export const takeBackCall = endpoint({
  method: "DELETE",
  path: "/v1/calls/{callSid}/transfer",
  summary: "Take back a call that rings for a teammate, or that Leadline itself is transferring",
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
      "free: can take a call; in-call: on a call, or being rung by a teammate; away: doesn't have Leadline open in any browser",
    ),
});
export type Teammate = z.infer<typeof Teammate>;

/** The `carrier` of calls between teammates, which are free: their audio stays on the server. */
export const teammateCarrier = "teammate";

export const listTeammates = endpoint({
  method: "GET",
  path: "/v1/teammates",
  summary: "List the other members of your active organisation, and whether they can take a call",
  access: "member",
  audit: null,
  success: [200, z.array(Teammate)],
  problems: [],
});

export const consultInCall = endpoint({
  method: "POST",
  path: "/v1/calls/{callSid}/consultation",
  summary: "Put an answered call on hold and call a number or a teammate on your second line",
  access: "member",
  audit: "call.consulted",
  params: CallParams,
  body: z
    .object({
      phoneNumber: TypedNumber.optional(),
      leadId: Id.optional().describe("The lead being called. Default: the only lead with the number"),
      userId: Id.optional().describe("A teammate, whose browser rings; instead of a number"),
      callerId: ChosenCallerId,
      ...hoursAsked,
    })
    .refine(numberOrTeammate, "Give a phoneNumber or a userId."),
  success: [201, z.object({ callSid: CallSid })],
  problems: callProblems,
});

export const joinCalls = endpoint({
  method: "POST",
  path: "/v1/calls/{callSid}/join",
  summary: "Join your two calls in a conference",
  access: "member",
  audit: "call.joined",
  params: CallParams,
  success: [200, Call],
  problems: ["not-found", "call-ended", "not-supported", "transfer-in-progress"],
});

/**
 * Both calls are charged until either far end hangs up or, unless the organisation is prepaid, the carrier connects them
 * without Leadline.
 */
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
