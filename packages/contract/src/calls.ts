import { z } from "zod";
import { callAtCarrier, CutOff } from "./call-at-carrier.ts";
import { CallActivity } from "./call-activity.ts";
import { callFlags, CallUpdate } from "./call-flags.ts";
import { callHours, hoursAsked, hoursProblems } from "./call-hours.ts";
import { ChosenCallerId } from "./caller-ids.ts";
import { CallerVerification } from "./caller-verification.ts";
import { CallLead } from "./call-lead.ts";
import { CallStatus, HangUpCause } from "./call-state.ts";
import { CallTransfer } from "./call-transfer.ts";
import { endpoint } from "./endpoint.ts";
import { followUpFields } from "./follow-up-fields.ts";
import { CallSid, GivenTimestamp, Id, IdempotencyKey, Timestamp } from "./identifiers.ts";
import { LeadSearch } from "./leads.ts";
import { MediaConnectionId, Sdp } from "./media-connections.ts";
import { limitProblems } from "./problem.ts";
import { CallRate } from "./rates.ts";

export const Call = z.object({
  callSid: CallSid,
  revision: z.int().describe("Grows with each change: of two versions of a call the greater is newer"),
  direction: z.enum(["outbound", "inbound"]),
  status: CallStatus,
  phoneNumber: z.string().describe("The far end, E.164; empty if withheld or not a phone number"),
  callerId: z
    .string()
    .nullable()
    .describe(
      "The far end if it isn't a phone number: as written by the caller's side (an extension, after its name), or a teammate's name; null if phoneNumber is set or the number is withheld",
    ),
  callerVerified: z
    .boolean()
    .nullable()
    .describe("Whether the network confirms phoneNumber (STIR/SHAKEN); null: not stated"),
  callerVerification: CallerVerification.nullable().describe(
    "What the network says about phoneNumber in full; null: not stated, or a call before this was stored",
  ),
  forwardedBy: z.string().nullable().describe("Who forwarded an inbound call here, E.164 or as the carrier wrote it"),
  ringsFor: Id.nullable().describe(
    "For a call between teammates, the one who is called: an inbound call rings only in their browser. Null for other calls",
  ),
  calledNumber: z
    .string()
    .nullable()
    .describe(
      "The called number of an inbound call, one of the organisation's: E.164, or as the carrier wrote it; for a call between teammates, the one who was called. Null for outbound calls and if unknown",
    ),
  userId: Id.nullable().describe("Null for an inbound call that nobody answered"),
  userName: z.string().describe("Empty without a person"),
  carrier: z.string(),
  createdAt: Timestamp,
  answeredAt: Timestamp.nullable(),
  endedAt: Timestamp.nullable(),
  durationMs: z
    .int()
    .describe("From the answer to the end, on a monotonic clock; 0 while live, and if nobody answered"),
  cause: HangUpCause.nullable().describe("Null while the call is live"),
  ...callFlags,
  held: z.boolean(),
  heldByThem: z.boolean().describe("The far end has put the person on hold and doesn't hear them"),
  ...callAtCarrier,
  mediaConnectionId: MediaConnectionId.nullable().describe(
    "The browser connection with the audio; null if there is none or the call has ended",
  ),
  line: z
    .literal([1, 2])
    .nullable()
    .describe("Which of its user’s two lines a live call has; null once it continues without them, or has ended"),
  joinedWith: z
    .object({ callSid: CallSid, phoneNumber: z.string(), callerId: z.string().nullable() })
    .nullable()
    .describe("The call it is joined with: their far ends hear each other. Kept after the end"),
  cutOff: CutOff.nullable().describe("When a limit or the balance will end the live call; set two minutes before"),
  canHold: z.boolean().describe("Whether the call's carrier supports hold"),
  canTransfer: z.boolean().describe("Whether the call's carrier supports transfers"),
  transfer: CallTransfer.nullable().describe("The call's latest transfer; null if there was none"),
  setupMs: z.int().nullable().describe("From the request to the answer, on a monotonic clock; null until answered"),
  rate: CallRate.nullable().describe("The rate when the call began; null for a call that is free"),
  costMicros: z.int().describe("Millionths of a US dollar; 0 until the call has ended"),
  ...callHours,
  note: z.string(),
  outcome: z.object({ id: Id, name: z.string() }).nullable().describe("From /v1/call-outcomes"),
  leads: z.array(CallLead).describe("The call's lead, or otherwise the leads with its number now"),
  ...followUpFields,
  voicemail: z
    .object({
      durationMs: z.int(),
      heardAt: Timestamp.nullable().describe("Null: nobody in the organisation has listened to it yet"),
    })
    .nullable()
    .describe("The caller's message, while it is stored"),
  activity: CallActivity.nullable().describe("For an ended call whose lead is or was from a CRM; null otherwise"),
});
export type Call = z.infer<typeof Call>;

export const CallParams = z.object({ callSid: CallSid });

const notBoth = (body: { offer?: string | undefined; mediaConnectionId?: string | undefined }): boolean =>
  body.offer === undefined || body.mediaConnectionId === undefined;

export const TypedNumber = z
  .string()
  .trim()
  .min(1, "Enter a phone number.")
  .max(40, "That is too long for a phone number.");

export const StartCallInput = z
  .object({
    phoneNumber: TypedNumber,
    leadId: Id.optional().describe("The lead being called. Default: the only lead with the number"),
    carrierId: Id.optional().describe(
      "Makes a test call through this carrier of the organisation’s, in use or not; owners only",
    ),
    callerId: ChosenCallerId,
    ...hoursAsked,
    offer: Sdp.optional().describe("Saves a round trip: the answer is returned with the callSid"),
    mediaConnectionId: MediaConnectionId.optional().describe(
      "A connection that is already negotiated; instead of an offer",
    ),
  })
  .refine(notBoth, "Give an offer or a mediaConnectionId, not both.");
export const StartedCall = z.object({
  callSid: CallSid,
  answer: Sdp.optional(),
  mediaConnectionId: MediaConnectionId.optional(),
});

export const startCall = endpoint({
  method: "POST",
  path: "/v1/calls",
  summary: "Call a phone number",
  access: "member",
  audit: "call.started",
  headers: z.object({
    "idempotency-key": IdempotencyKey.optional().describe("The same request again returns the first call"),
  }),
  body: StartCallInput,
  success: [201, StartedCall],
  problems: [
    "not-allowed",
    "phone-number-invalid",
    "not-found",
    "call-in-progress",
    "sdp-not-usable",
    "media-connection-gone",
    "media-unavailable",
    "carrier-unreachable",
    "caller-id-missing",
    "idempotency-key-reused",
    ...limitProblems,
    "do-not-call",
    "balance-too-low",
    "rate-unknown",
    ...hoursProblems,
  ],
});

export const attachCallMedia = endpoint({
  method: "POST",
  path: "/v1/calls/{callSid}/media",
  summary: "Move the call's audio to this browser, from any other",
  access: "member",
  audit: "call.media-attached",
  params: CallParams,
  body: z
    .object({ offer: Sdp.optional(), mediaConnectionId: MediaConnectionId.optional() })
    .refine(
      (body) => (body.offer === undefined) !== (body.mediaConnectionId === undefined),
      "Give an offer or a mediaConnectionId.",
    ),
  success: [
    200,
    z.object({ mediaConnectionId: MediaConnectionId, answer: Sdp.optional(), revision: Call.shape.revision }),
  ],
  problems: ["not-found", "call-ended", "sdp-not-usable", "media-connection-gone", "media-unavailable"],
});

export const answerCall = endpoint({
  method: "POST",
  path: "/v1/calls/{callSid}/answer",
  summary: "Answer a ringing call; the first to do so gets it",
  access: "member",
  audit: "call.answered",
  params: CallParams,
  body: attachCallMedia.body,
  success: attachCallMedia.success,
  problems: [
    "not-found",
    "call-taken",
    "call-ended",
    "call-in-progress",
    "sdp-not-usable",
    "media-connection-gone",
    "media-unavailable",
    "carrier-unreachable",
    "no-organisation",
  ],
});

export const sendCallToVoicemail = endpoint({
  method: "POST",
  path: "/v1/calls/{callSid}/send-to-voicemail",
  summary: "Send a ringing call to voicemail, at once and for everyone",
  access: "member",
  audit: "call.sent-to-voicemail",
  params: CallParams,
  success: [204, null],
  problems: ["not-found", "call-taken", "call-ended", "voicemail-unavailable"],
});

export const declineCall = endpoint({
  method: "POST",
  path: "/v1/calls/{callSid}/decline",
  summary: "Stop a call from ringing for you; once all have declined, voicemail answers or the caller gets busy",
  access: "member",
  audit: "call.declined",
  params: CallParams,
  success: [204, null],
  problems: ["not-found", "call-taken", "call-ended"],
});

export const hangUpCall = endpoint({
  method: "POST",
  path: "/v1/calls/{callSid}/hang-up",
  summary: "Hang up; for an ended call, returns how it ended",
  access: "member",
  audit: "call.hung-up",
  params: CallParams,
  success: [200, Call],
  problems: ["not-found"],
});

export const sendCallDigits = endpoint({
  method: "POST",
  path: "/v1/calls/{callSid}/digits",
  summary: "Send DTMF digits (RFC 4733)",
  access: "member",
  audit: null,
  params: CallParams,
  body: z.object({ digits: z.string().regex(/^[0-9*#A-D]{1,32}$/, "Digits are 0–9, *, # and A–D.") }),
  success: [204, null],
  problems: ["not-found", "call-ended", "not-supported", "media-unavailable"],
});

export const updateCall = endpoint({
  method: "PATCH",
  path: "/v1/calls/{callSid}",
  summary: "Mute, hold or silence, or undo that",
  access: "member",
  audit: null,
  params: CallParams,
  body: CallUpdate,
  success: [200, Call],
  problems: ["not-found", "call-ended", "not-supported", "transfer-in-progress", "media-unavailable"],
});

export const getCall = endpoint({
  method: "GET",
  path: "/v1/calls/{callSid}",
  summary: "Read a call",
  access: "analyst",
  audit: null,
  params: CallParams,
  success: [200, Call],
  problems: ["not-found"],
});

export const listCalls = endpoint({
  method: "GET",
  path: "/v1/calls",
  summary: "List the organisation's calls, newest first; the Link header (rel=next) has the next page",
  access: "analyst",
  audit: null,
  query: z.object({
    limit: z.coerce.number().int().min(1).max(200).default(50),
    before: CallSid.optional().describe("Calls older than this one"),
    live: z.stringbool().optional().describe("Only live calls, or only calls that aren't"),
    direction: Call.shape.direction.optional(),
    status: CallStatus.optional(),
    answered: z.stringbool().optional().describe("Only ended calls that were answered, or weren't"),
    missed: z.literal("true").optional().describe("Only unanswered inbound calls, except those for someone else"),
    userId: Id.optional(),
    voicemail: z.stringbool().optional().describe("Only calls with a voicemail message, or only calls without"),
    toSort: z.literal("true").optional().describe("Only calls that need a lead chosen before they are logged"),
    idempotencyKey: z.string().max(100).optional().describe("The key of the request that started the call"),
    from: GivenTimestamp.optional().describe("Started at this time or later"),
    to: GivenTimestamp.optional().describe("Started before this time"),
    outcomeId: z.union([Id, z.literal("none")]).optional(),
    leadId: Id.optional().describe("Calls of this lead, and calls of its number that belong to no lead"),
    phoneNumber: z.string().trim().max(40).optional().describe("A whole number, or some of its digits"),
    search: LeadSearch.describe("Digits of the number, or words in the lead or the note. At least 2 characters"),
  }),
  success: [200, z.array(Call)],
  problems: [],
});
