import { z } from "zod";
import { endpoint } from "./endpoint.ts";
import { Id, IdParams, Timestamp } from "./identifiers.ts";
import { oneLine } from "./one-line.ts";
import { CurrentPassword } from "./passwords.ts";
import { limitProblems } from "./problem.ts";

const Kind = z.string().max(40).describe("The kind of carrier: one of those listed by GET /v1/carriers/kinds");
const Label = oneLine(
  z.string().trim().min(2, "Label must be at least 2 characters.").max(100, "Keep the label under 100 characters."),
);
/** Millionths of a dollar, because minutes are priced in fractions of a cent. */
export const minPriceMicros = 100;
const pricePerMinute = z
  .int("Enter an amount.")
  .min(0, "Enter an amount of $0 or more.")
  .max(100_000_000, "At most $100 a minute.")
  .multipleOf(minPriceMicros, "Enter dollars with at most four decimals, such as 0.0135.")
  .describe("Millionths of a US dollar per started minute, as the rate for all numbers; 0: no rate");
const callsPerSecond = z
  .number("Enter a number.")
  .min(0.1, "At least 0.1 a second.")
  .max(1_000, "At most 1,000 a second.")
  .nullable()
  .describe("New calls a second that the carrier accepts; more wait for their turn. Null: no known limit");
const channels = z
  .int("Enter a whole number.")
  .min(1, "At least 1.")
  .max(100_000, "At most 100,000.")
  .nullable()
  .describe("Simultaneous calls that the carrier accepts; more wait for a free line. Null: no known limit");
const Settings = z.record(z.string().max(64), z.unknown());

export const CarrierKind = z.object({
  kind: Kind,
  name: z.string(),
  capabilities: z.object({
    hold: z.boolean(),
    transfer: z.boolean(),
    inbound: z.boolean(),
    digits: z.literal("media").nullable(),
    numbers: z.boolean(),
  }),
  form: z
    .record(z.string(), z.unknown())
    .describe(
      "JSON Schema of its settings: `title` and `description` are the form's texts, `secret` settings are never returned",
    ),
  presets: z
    .array(
      z.object({
        id: z.string(),
        name: z.string(),
        of: z.enum(["provider", "pbx"]),
        settings: Settings,
        asks: z.array(z.string()).describe("The settings that must still be entered"),
        note: z.string().nullable().describe("What to know before connecting it"),
        source: z.url().describe("The documentation that the settings were taken from"),
      }),
    )
    .readonly()
    .describe("Providers and PBXes with known settings"),
});
export type CarrierKind = z.infer<typeof CarrierKind>;
export type CarrierPreset = CarrierKind["presets"][number];

export const CarrierConnection = z.object({
  id: Id,
  kind: Kind,
  label: z.string(),
  settings: Settings.describe("Without its secrets"),
  secretsSet: z.array(z.string()).describe("The secret settings that are stored"),
  callsPerSecond,
  channels,
  inUse: z
    .boolean()
    .describe(
      "It receives calls, and outbound calls use the carriers in the order of the list: if one fails, the next",
    ),
  state: z.object({
    level: z.enum(["unused", "starting", "working", "partly", "down"]),
    sentence: z.string().describe("For an owner"),
  }),
  callerId: z
    .object({
      number: z.string().describe("E.164"),
      unverifiedAt: z
        .array(z.string())
        .describe("The carrier’s servers that don't get the number until it is verified for them"),
    })
    .nullable()
    .describe("The configured caller ID; null if there is none, or the carrier isn’t in use"),
  createdAt: Timestamp,
});
export type CarrierConnection = z.infer<typeof CarrierConnection>;

export const CreateCarrierInput = z.object({
  kind: Kind,
  label: Label,
  settings: Settings,
  pricePerMinute: pricePerMinute.default(0),
  callsPerSecond: callsPerSecond.default(null),
  channels: channels.default(null),
  currentPassword: CurrentPassword,
});
/** Missing fields stay unchanged. Settings are sent whole, except that a missing secret is kept. */
export const UpdateCarrierInput = z.object({
  label: Label.optional(),
  settings: Settings.optional(),
  callsPerSecond: callsPerSecond.optional(),
  channels: channels.optional(),
  inUse: z.boolean().optional().describe("True puts it first; carriers already in use become its backups"),
});
export const CheckCarrierInput = z.object({
  kind: Kind,
  settings: Settings,
  id: Id.optional().describe("The carrier whose stored secrets replace missing ones"),
});
export const CarrierCheck = z.object({
  what: z.string(),
  ok: z.boolean(),
  sentence: z.string().describe("The result, or what to do about it"),
});

export const CarrierTrace = z.object({
  messages: z
    .array(
      z.object({
        id: z.int().describe("Grows with each message"),
        at: Timestamp,
        direction: z.enum(["sent", "received"]),
        protocol: z.string(),
        address: z.string(),
        port: z.int(),
        summary: z.string().describe("The first line"),
        callId: z.string().nullable().describe("The same for messages of one call, or of one registration"),
        text: z.string().describe("Without credentials, media keys and DTMF digits"),
        ignored: z.string().nullable().describe("Why the message was ignored; null if it wasn’t"),
      }),
    )
    .describe("The latest messages, newest first"),
  strangers: z
    .array(z.object({ address: z.string(), packets: z.int(), lastAt: Timestamp }))
    .describe("Addresses that sent something to this carrier’s port without permission"),
});
export type CarrierTrace = z.infer<typeof CarrierTrace>;

export const listCarrierKinds = endpoint({
  method: "GET",
  path: "/v1/carriers/kinds",
  summary: "List the kinds of carriers that can be connected, with the settings of each",
  access: "admin",
  audit: null,
  success: [200, z.array(CarrierKind)],
  problems: [],
});
export const listCarriers = endpoint({
  method: "GET",
  path: "/v1/carriers",
  summary: "List the organisation's own carriers, with their state",
  access: "admin",
  audit: null,
  success: [200, z.array(CarrierConnection)],
  problems: [],
});
export const readCarrierTrace = endpoint({
  method: "GET",
  path: "/v1/carriers/{id}/trace",
  summary: "Read a carrier’s latest signalling messages, kept in memory while it is in use",
  access: "admin",
  audit: null,
  params: IdParams,
  success: [200, CarrierTrace],
  problems: ["not-found"],
});
export const orderCarriers = endpoint({
  method: "PUT",
  path: "/v1/carriers/order",
  summary: "Choose the carriers in use and their order; a call that one can't place goes to the next",
  access: "owner",
  audit: "carrier.ordered",
  body: z.object({ ids: z.array(Id).max(20).describe("Carriers not listed are no longer used") }),
  success: [200, z.array(CarrierConnection)],
  problems: ["not-found"],
});
export const createCarrier = endpoint({
  method: "POST",
  path: "/v1/carriers",
  summary:
    "Connect a carrier, and make it the first in use. A price takes your password where calls without one are refused",
  access: "owner",
  audit: "carrier.created",
  body: CreateCarrierInput,
  success: [201, CarrierConnection],
  problems: [
    "not-supported",
    "quota-reached",
    "not-allowed",
    "password-required",
    "wrong-credentials",
    "too-many-attempts",
  ],
});
export const updateCarrier = endpoint({
  method: "PUT",
  path: "/v1/carriers/{id}",
  summary: "Change a carrier; live calls aren't affected",
  access: "owner",
  audit: "carrier.updated",
  params: IdParams,
  body: UpdateCarrierInput,
  success: [200, CarrierConnection],
  problems: ["not-found", "too-many-attempts"],
});
export const removeCarrier = endpoint({
  method: "DELETE",
  path: "/v1/carriers/{id}",
  summary: "Remove a carrier and its secrets; live calls continue",
  access: "owner",
  audit: "carrier.removed",
  params: IdParams,
  success: [204, null],
  problems: ["not-found"],
});
export const checkCarrier = endpoint({
  method: "POST",
  path: "/v1/carriers/check",
  summary: "Test a carrier's settings, stored or not, and explain what works",
  access: "owner",
  audit: "carrier.checked",
  body: CheckCarrierInput,
  mayTakeMs: 60_000,
  success: [200, z.array(CarrierCheck)],
  problems: ["not-found", "not-supported", "too-many-attempts"],
});

export const callToVerify = endpoint({
  method: "POST",
  path: "/v1/carriers/{id}/caller-id/call",
  summary: "Call the caller ID through the carrier and read out a code; returns once the call is answered",
  access: "owner",
  audit: "carrier.caller-id-called",
  params: IdParams,
  mayTakeMs: 60_000,
  success: [
    201,
    z.object({
      number: z.string(),
      server: z.string().describe("The server that the code verifies it for"),
      expiresAt: Timestamp,
    }),
  ],
  problems: [
    "not-found",
    "not-supported",
    "caller-id-not-verified",
    "carrier-unreachable",
    ...limitProblems,
    "balance-too-low",
    "rate-unknown",
    "media-unavailable",
    "too-many-attempts",
  ],
});
export const VerifyCallerIdInput = z.object({
  code: z
    .string()
    .trim()
    .regex(/^\d{6}$/, "Enter the six digits you heard."),
});
export const verifyCallerId = endpoint({
  method: "POST",
  path: "/v1/carriers/{id}/caller-id/code",
  summary: "Verify the caller ID with the code from the last call",
  access: "owner",
  audit: "carrier.caller-id-verified",
  params: IdParams,
  body: VerifyCallerIdInput,
  success: [200, CarrierConnection],
  problems: ["not-found", "caller-id-not-verified", "too-many-attempts"],
});
