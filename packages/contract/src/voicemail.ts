import { z } from "zod";
import { Call, CallParams } from "./calls.ts";
import { endpoint } from "./endpoint.ts";
import { Id } from "./identifiers.ts";

/** For all messages of one organisation. A recording in progress counts with its maximum length. */
export const maxVoicemailMs = 120 * 60_000;
/** For one message. The call ends after it. */
export const longestVoicemailMs = 3 * 60_000;
export const longestGreetingMs = 60_000;
export const largestGreetingBytes = 20 * 2 ** 20;

export const Greeting = z.object({ id: Id, name: z.string(), durationMs: z.int() });
export type Greeting = z.infer<typeof Greeting>;

const seconds = (words: string) =>
  z
    .int({ error: ({ code }) => (code === "too_big" || code === "too_small" ? words : "Enter a whole number.") })
    .min(5, words)
    .max(60, words);
const ringSeconds = seconds("Between 5 and 60 seconds.");
export const keepDaysChoices = [7, 30, 90, 365] as const;
const keepDays = z.union(
  keepDaysChoices.map((days) => z.literal(days)),
  "Choose how long messages are kept.",
);

export const VoicemailSettings = z.object({
  enabled: z.boolean().describe("Whether it answers calls that nobody else answers"),
  ringSeconds: ringSeconds.describe(
    "How long a call rings before voicemail answers; it answers at once if nobody can be rung",
  ),
  keepDays: keepDays.describe("The number of days after which a message is deleted, heard or not"),
  greetingId: Id.nullable().describe("The greeting in use; null: the default"),
  greetings: z.array(Greeting).describe("The organisation's own: the one in use, and the last one uploaded"),
  defaultGreetingMs: z.int(),
  used: z
    .object({ messages: z.int(), durationMs: z.int() })
    .describe("Of two hours in total; when they are full, the oldest heard message is deleted for a new one"),
  full: z.boolean().describe("There is no room, and no heard message to delete: voicemail answers no calls"),
});
export type VoicemailSettings = z.infer<typeof VoicemailSettings>;

/** Missing fields stay unchanged. */
export const UpdateVoicemailSettingsInput = z.object({
  enabled: z.boolean().optional(),
  ringSeconds: ringSeconds.optional(),
  keepDays: keepDays.optional(),
  greetingId: Id.nullish(),
});

export const readVoicemailSettings = endpoint({
  method: "GET",
  path: "/v1/voicemail",
  summary: "Read your active organisation's voicemail settings, and how full it is",
  access: "analyst",
  audit: null,
  success: [200, VoicemailSettings],
  problems: [],
});
export const updateVoicemailSettings = endpoint({
  method: "PUT",
  path: "/v1/voicemail",
  summary: "Change these settings, from the next call on",
  access: "owner",
  audit: "voicemail.updated",
  body: UpdateVoicemailSettingsInput,
  success: [200, VoicemailSettings],
  problems: ["not-found"],
});
export const uploadGreeting = endpoint({
  method: "POST",
  path: "/v1/voicemail/greetings",
  summary: "Upload a greeting, to be played and then chosen: a WAV file (PCM, mono or stereo) of up to a minute",
  access: "owner",
  audit: "voicemail.greeting-uploaded",
  files: { most: 1, largestBytes: largestGreetingBytes },
  success: [201, Greeting],
  problems: ["file-refused", "too-many-attempts"],
});
export const playGreeting = endpoint({
  method: "GET",
  path: "/v1/voicemail/greetings/{greetingId}",
  summary: "Download a greeting as callers hear it, as WAV; “default” is the built-in one",
  access: "analyst",
  audit: null,
  params: z.object({ greetingId: z.union([Id, z.literal("default")]) }),
  success: [200, "file"],
  problems: ["not-found"],
});

export const readNewMessages = endpoint({
  method: "GET",
  path: "/v1/voicemail/new",
  summary: "Count the messages that nobody in your active organisation has listened to yet",
  access: "analyst",
  audit: null,
  success: [200, z.object({ count: z.int() })],
  problems: [],
});

export const playVoicemail = endpoint({
  method: "GET",
  path: "/v1/calls/{callSid}/voicemail",
  summary: "Download a caller's message as WAV; supports the Range header",
  access: "analyst",
  audit: null,
  params: CallParams,
  success: [200, "file"],
  problems: ["not-found"],
});
export const markVoicemail = endpoint({
  method: "PATCH",
  path: "/v1/calls/{callSid}/voicemail",
  summary: "Mark a message as heard, or as new again",
  access: "member",
  audit: "voicemail.marked",
  params: CallParams,
  body: z.object({ heard: z.boolean() }),
  success: [200, Call],
  problems: ["not-found"],
});
export const deleteVoicemail = endpoint({
  method: "DELETE",
  path: "/v1/calls/{callSid}/voicemail",
  summary: "Delete a message permanently; its call stays in the log",
  access: "member",
  audit: "voicemail.deleted",
  params: CallParams,
  success: [204, null],
  problems: ["not-found"],
});
