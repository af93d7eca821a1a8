import { z } from "zod";
import { callAtCarrier, CutOff } from "./call-at-carrier.ts";
import { CallActivity } from "./call-activity.ts";
import { callHours, hoursAsked, hoursProblems } from "./call-hours.ts";
import { ChosenCallerId } from "./caller-ids.ts";
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
  revision: z.int().describe("Grows with each change: of two reports of a call the greater is the newer"),
  direction: z.enum(["outbound", "inbound"]),
  status: CallStatus,
  phoneNumber: z.string().describe("The other end, E.164; empty where a caller withholds it, or has none"),
  callerId: z
    .string()
    .nullable()
    .describe(
      "Who the other end is where that is no phone number: as a caller's side wrote it (an extension, its name before it), or a teammate's name; null where phoneNumber says it, and where it is withheld",
    ),
  callerVerified: z
    .boolean()
    .nullable()
    .describe("Whether the network confirms phoneNumber (STIR/SHAKEN); null: unsaid"),
  forwardedBy: z.string().nullable().describe("Who forwarded an inbound call here, E.164 or as the carrier wrote it"),
  ringsFor: Id.nullable().describe(
    "The teammate who is called, of a call between teammates: an inbound one rings in their browser alone; null for any other call",
  ),
  calledNumber: z
    .string()
    .nullable()
    .describe(
      "Which of the organisation's numbers an inbound call is for, E.164; as the carrier wrote it where that is no phone number; the teammate whom a teammate called; null for an outbound call and where it is not known",
    ),
  userId: Id.nullable().describe("Null for an inbound call that nobody took"),
  userName: z.string().describe("Empty where it is nobody's"),
  carrier: z.string(),
  createdAt: Timestamp,
  answeredAt: Timestamp.nullable(),
  endedAt: Timestamp.nullable(),
  durationMs: z
    .int()
    .describe("From the answer to the end, on a monotonic clock; 0 while live and where nobody answered"),
  cause: HangUpCause.nullable().describe("Null while the call lives"),
  muted: z.boolean(),
  held: z.boolean(),
  heldByThem: z.boolean().describe("The other end has put the person on hold, and does not hear them"),
  ...callAtCarrier,
  mediaConnectionId: MediaConnectionId.nullable().describe(
    "The browser connection that has the audio; null where none has, or the call has ended",
  ),
  line: z
    .literal([1, 2])
    .nullable()
    .describe("Which of its user’s two lines a live call has; null once it continues without them, or has ended"),
  joinedWith: z
    .object({ callSid: CallSid, phoneNumber: z.string(), callerId: z.string().nullable() })
    .nullable()
    .describe("The call whose other end hears this one's: for as long as both live, and after the end the last one"),
  silenced: z.boolean().describe("Those whom the other end is joined with do not hear it"),
  cutOff: CutOff.nullable().describe("When a limit or the balance will end the live call; set two minutes before"),
  canHold: z.boolean().describe("Whether the call's carrier can hold"),
  canTransfer: z.boolean().describe("Whether the call's carrier can transfer"),
  transfer: CallTransfer.nullable().describe("The last one of the call; null where it was never to be transferred"),
  setupMs: z.int().nullable().describe("From the request to the answer, on a monotonic clock; null until answered"),
  rate: CallRate.nullable().describe("As it was when the call began; null for a call that costs nothing"),
  costMicros: z.int().describe("Millionths of a US dollar; 0 until it has ended"),
  ...callHours,
  note: z.string(),
  outcome: z.object({ id: Id, name: z.string() }).nullable().describe("Of the organisation's list (/v1/call-outcomes)"),
  leads: z.array(CallLead).describe("The lead that the call belongs to, or else those that have its number now"),
  ...followUpFields,
  voicemail: z
    .object({
      durationMs: z.int(),
      heardAt: Timestamp.nullable().describe("Null: nobody of the organisation has listened to it yet"),
    })
    .nullable()
    .describe("The message its caller left, for as long as it is kept"),
  activity: CallActivity.nullable().describe("Of an ended call whose lead came from a CRM; null for any other"),
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
    leadId: Id.optional().describe("The lead that is called; without it, the one that has the number, if it is one"),
    carrierId: Id.optional().describe(
      "A test call through this carrier of the organisation’s, in use or not; only an owner may make one",
    ),
    callerId: ChosenCallerId,
    ...hoursAsked,
    offer: Sdp.optional().describe("Saves a round trip: the answer comes back with the callSid"),
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
    "idempotency-key": IdempotencyKey.optional().describe("Sent again with the same body, it answers the first call"),
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
    "idempotency-key-reused",
    ...limitProblems,
    "do-not-call",
    "balance-too-low",
    ...hoursProblems,
  ],
});

export const attachCallMedia = endpoint({
  method: "POST",
  path: "/v1/calls/{callSid}/media",
  summary: "Bring the call's audio to this browser, taking it from any other",
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
  summary: "Take a call that rings; the first who does has it",
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
  summary: "Let the voicemail take a call that rings, at once and for everybody",
  access: "member",
  audit: "call.sent-to-voicemail",
  params: CallParams,
  success: [204, null],
  problems: ["not-found", "call-taken", "call-ended", "voicemail-unavailable"],
});

export const declineCall = endpoint({
  method: "POST",
  path: "/v1/calls/{callSid}/decline",
  summary:
    "Let a call that rings ring for the others only; once all have declined, voicemail takes it or the caller hears busy",
  access: "member",
  audit: "call.declined",
  params: CallParams,
  success: [204, null],
  problems: ["not-found", "call-taken", "call-ended"],
});

export const hangUpCall = endpoint({
  method: "POST",
  path: "/v1/calls/{callSid}/hang-up",
  summary: "Hang up; an ended call answers as it ended",
  access: "member",
  audit: "call.hung-up",
  params: CallParams,
  success: [200, Call],
  problems: ["not-found"],
});

export const sendCallDigits = endpoint({
  method: "POST",
  path: "/v1/calls/{callSid}/digits",
  summary: "Press keys (RFC 4733)",
  access: "member",
  audit: null,
  params: CallParams,
  body: z.object({ digits: z.string().regex(/^[0-9*#A-D]{1,32}$/, "Digits are 0–9, *, # and A–D.") }),
  success: [204, null],
  problems: ["not-found", "call-ended", "not-supported"],
});

export const updateCall = endpoint({
  method: "PATCH",
  path: "/v1/calls/{callSid}",
  summary: "Mute or unmute, hold or resume, silence or let speak",
  access: "member",
  audit: null,
  params: CallParams,
  body: z.object({
    muted: z.boolean().optional().describe("The person, in this call and in the one on their other line"),
    held: z
      .boolean()
      .optional()
      .describe("Of two calls that are not joined, the one that is resumed puts the other on hold"),
    silenced: z.boolean().optional().describe("Where the call is joined with another"),
  }),
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
  summary: "List the organisation's calls, newest first; the Link header (rel=next) leads on",
  access: "analyst",
  audit: null,
  query: z.object({
    limit: z.coerce.number().int().min(1).max(200).default(50),
    before: CallSid.optional().describe("Calls older than this one"),
    live: z.stringbool().optional().describe("Only calls that are, or are not, live"),
    direction: Call.shape.direction.optional(),
    status: CallStatus.optional(),
    answered: z.stringbool().optional().describe("Only ended calls that were, or were not, answered"),
    missed: z.literal("true").optional().describe("Only calls in that nobody took, none that rang for another alone"),
    userId: Id.optional(),
    voicemail: z.stringbool().optional().describe("Only calls that have, or have not, a message of their caller’s"),
    toSort: z.literal("true").optional().describe("Only calls that need a lead chosen before they are logged"),
    idempotencyKey: z.string().max(100).optional().describe("The caller's own, of the request that started the call"),
    from: GivenTimestamp.optional().describe("Started at this moment or later"),
    to: GivenTimestamp.optional().describe("Started before this moment"),
    outcomeId: z.union([Id, z.literal("none")]).optional(),
    leadId: Id.optional().describe("Calls of this lead, and of its number where they belong to no lead"),
    phoneNumber: z.string().trim().max(40).optional().describe("A whole number, or some of its digits"),
    search: LeadSearch.describe("Digits of the number, or words that its lead or its note holds. From 2 characters on"),
  }),
  success: [200, z.array(Call)],
  problems: [],
});
