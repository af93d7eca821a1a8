import { z } from "zod";
import { endpoint } from "./endpoint.ts";
import { Id, IdParams, Timestamp } from "./identifiers.ts";
import { oneLine } from "./one-line.ts";
import { limitProblems } from "./problem.ts";

const Kind = z.string().max(40).describe("Which carrier: one of those that GET /v1/carriers/kinds lists");
const Label = oneLine(
  z.string().trim().min(2, "Label must be at least 2 characters.").max(100, "Keep the label under 100 characters."),
);
/** Millionths of a dollar, because minutes are priced in fractions of a cent. */
export const leastPriceMicros = 100;
const pricePerMinute = z
  .int("Enter an amount.")
  .min(0, "Enter an amount of $0 or more.")
  .max(100_000_000, "At most $100 a minute.")
  .multipleOf(leastPriceMicros, "Enter dollars with at most four decimals, such as 0.0135.")
  .describe(
    "Millionths of a US dollar for each started minute, as the rate of all numbers; 0 leaves it without a rate",
  );
const callsPerSecond = z
  .number("Enter a number.")
  .min(0.1, "At least 0.1 a second.")
  .max(1_000, "At most 1,000 a second.")
  .nullable()
  .describe("New calls a second that the carrier takes; more wait for their turn. Null: no limit is known");
const channels = z
  .int("Enter a whole number.")
  .min(1, "At least 1.")
  .max(100_000, "At most 100,000.")
  .nullable()
  .describe("Simultaneous calls that the carrier takes; more wait for a free line. Null: no limit is known");
const Settings = z.record(z.string().max(64), z.unknown());

export const CarrierKind = z.object({
  kind: Kind,
  name: z.string(),
  capabilities: z.object({
    hold: z.boolean(),
    transfer: z.boolean(),
    inbound: z.boolean(),
    digits: z.enum(["media", "signalling"]).nullable(),
    numbers: z.boolean(),
  }),
  form: z
    .record(z.string(), z.unknown())
    .describe(
      "JSON Schema of its settings: `title` and `description` are the form's words, `secret` is never shown again",
    ),
  presets: z
    .array(
      z.object({
        id: z.string(),
        name: z.string(),
        of: z.enum(["provider", "pbx"]),
        settings: Settings,
        asks: z.array(z.string()).describe("The settings that are still asked"),
        note: z.string().nullable().describe("What to know before connecting it"),
        source: z.url().describe("The documentation that the settings were taken from"),
      }),
    )
    .readonly()
    .describe("Providers and PBXes whose settings are known"),
});
export type CarrierKind = z.infer<typeof CarrierKind>;
export type CarrierPreset = CarrierKind["presets"][number];

export const CarrierConnection = z.object({
  id: Id,
  kind: Kind,
  label: z.string(),
  settings: Settings.describe("Without its secrets"),
  secretsSet: z.array(z.string()).describe("The secret settings that are kept"),
  callsPerSecond,
  channels,
  inUse: z
    .boolean()
    .describe("Calls come in through it, and go out in the order of the list: to the next one where a carrier fails"),
  state: z.object({
    level: z.enum(["unused", "starting", "working", "partly", "down"]),
    sentence: z.string().describe("In words an owner understands"),
  }),
  callerId: z
    .object({
      number: z.string().describe("E.164"),
      unverifiedAt: z
        .array(z.string())
        .describe("Servers of the carrier’s that aren’t shown the number until it is verified for them"),
    })
    .nullable()
    .describe("The number of the settings that callees are to see; null if there is none, or the carrier isn’t in use"),
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
});
/** Missing fields stay unchanged. Settings are sent whole, except that a missing secret is kept. */
export const UpdateCarrierInput = z.object({
  label: Label.optional(),
  settings: Settings.optional(),
  callsPerSecond: callsPerSecond.optional(),
  channels: channels.optional(),
  inUse: z.boolean().optional().describe("True makes it the first one; those in use stay, as its backups"),
});
export const CheckCarrierInput = z.object({
  kind: Kind,
  settings: Settings,
  id: Id.optional().describe("Of a carrier whose kept secrets stand in for those left out"),
});
export const CarrierCheck = z.object({
  what: z.string(),
  ok: z.boolean(),
  sentence: z.string().describe("What was found, or what to do about it"),
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
        callId: z.string().nullable().describe("Messages of one call, or of one registration, have the same"),
        text: z.string().describe("Without credentials, media keys and pressed keys"),
        ignored: z.string().nullable().describe("Why the message was ignored; null if it wasn’t"),
      }),
    )
    .describe("The last messages, the newest first"),
  strangers: z
    .array(z.object({ address: z.string(), packets: z.int(), lastAt: Timestamp }))
    .describe("Addresses that sent something to this carrier’s port and may not"),
});
export type CarrierTrace = z.infer<typeof CarrierTrace>;

export const listCarrierKinds = endpoint({
  method: "GET",
  path: "/v1/carriers/kinds",
  summary: "Which carriers can be connected, and what each asks",
  access: "admin",
  audit: null,
  success: [200, z.array(CarrierKind)],
  problems: [],
});
export const listCarriers = endpoint({
  method: "GET",
  path: "/v1/carriers",
  summary: "List the organisation's own carriers, and how they stand",
  access: "admin",
  audit: null,
  success: [200, z.array(CarrierConnection)],
  problems: [],
});
export const readCarrierTrace = endpoint({
  method: "GET",
  path: "/v1/carriers/{id}/trace",
  summary: "Read a carrier’s last signalling messages, kept in memory while it is in use",
  access: "admin",
  audit: null,
  params: IdParams,
  success: [200, CarrierTrace],
  problems: ["not-found"],
});
export const orderCarriers = endpoint({
  method: "PUT",
  path: "/v1/carriers/order",
  summary: "Choose which carriers calls go to, the first one first; one that can't place a call leaves it to the next",
  access: "owner",
  audit: "carrier.ordered",
  body: z.object({ ids: z.array(Id).max(20).describe("Those left out aren’t used any more") }),
  success: [200, z.array(CarrierConnection)],
  problems: ["not-found"],
});
export const createCarrier = endpoint({
  method: "POST",
  path: "/v1/carriers",
  summary: "Connect a carrier; the organisation's calls go there first from then on",
  access: "owner",
  audit: "carrier.created",
  body: CreateCarrierInput,
  success: [201, CarrierConnection],
  problems: ["not-supported", "quota-reached", "too-many-attempts"],
});
export const updateCarrier = endpoint({
  method: "PUT",
  path: "/v1/carriers/{id}",
  summary: "Change a carrier; calls that are live go on as they began",
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
  summary: "Forget a carrier and its secrets; calls that are live go on",
  access: "owner",
  audit: "carrier.removed",
  params: IdParams,
  success: [204, null],
  problems: ["not-found"],
});
export const checkCarrier = endpoint({
  method: "POST",
  path: "/v1/carriers/check",
  summary: "Try a carrier's settings, kept or not, and say in words what works",
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
  summary: "Call the caller ID through the carrier and read out a code; answers once the call is taken",
  access: "owner",
  audit: "carrier.caller-id-called",
  params: IdParams,
  mayTakeMs: 60_000,
  success: [
    201,
    z.object({
      number: z.string(),
      server: z.string().describe("For which the code verifies it"),
      expiresAt: Timestamp,
    }),
  ],
  problems: [
    "not-found",
    "not-supported",
    "caller-id-not-verified",
    "carrier-unreachable",
    ...limitProblems,
    "media-unavailable",
    "too-many-attempts",
  ],
});
export const verifyCallerId = endpoint({
  method: "POST",
  path: "/v1/carriers/{id}/caller-id/code",
  summary: "Verify the caller ID by the code that the last call to it read out",
  access: "owner",
  audit: "carrier.caller-id-verified",
  params: IdParams,
  body: z.object({
    code: z
      .string()
      .trim()
      .regex(/^\d{6}$/, "Enter the six digits you heard."),
  }),
  success: [200, CarrierConnection],
  problems: ["not-found", "caller-id-not-verified", "too-many-attempts"],
});
