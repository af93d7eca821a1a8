import { z } from "zod";
import { Call } from "./calls.ts";
import { endpoint } from "./endpoint.ts";
import { CallSid, Id, IdParams, Timestamp } from "./identifiers.ts";

/** Fields whose changes are recorded. */
export const LeadHistoryField = z.enum([
  "firstName",
  "lastName",
  "email",
  "phone",
  "company",
  "jobTitle",
  "status",
  "owner",
  "nextStep",
  "followUpOn",
  "followUpOwner",
]);
export type LeadHistoryField = z.infer<typeof LeadHistoryField>;

const common = { id: z.string(), at: Timestamp };
export const LeadTimelineEntry = z.discriminatedUnion("kind", [
  z.object({
    ...common,
    kind: z.literal("call"),
    callSid: CallSid,
    call: Call.pick({ direction: true, status: true, cause: true, durationMs: true, note: true }),
    userName: z.string().describe("Empty if nobody answered"),
    outcomeName: z.string().nullable(),
    voicemail: Call.shape.voicemail.describe("The caller's message; null without one"),
  }),
  z.object({ ...common, kind: z.literal("note"), text: z.string(), userName: z.string() }),
  z.object({ ...common, kind: z.literal("file"), fileId: Id, name: z.string(), userName: z.string() }),
  z.object({
    ...common,
    kind: z.literal("change"),
    userName: z.string().nullable().describe("Null: a sync or a CRM report"),
    sync: z
      .object({ integrationId: Id, runId: Id, label: z.string() })
      .nullable()
      .describe("The sync that changed it, while its details are stored"),
    fields: z.array(z.object({ field: LeadHistoryField, before: z.string(), after: z.string() })),
  }),
]);
export type LeadTimelineEntry = z.infer<typeof LeadTimelineEntry>;

export const readLeadTimeline = endpoint({
  method: "GET",
  path: "/v1/leads/{id}/timeline",
  summary:
    "List a lead’s history, newest first: calls, notes, files and changes; the Link header (rel=next) has the next page",
  access: "analyst",
  audit: null,
  params: IdParams,
  query: z.object({
    limit: z.coerce.number().int().min(1).max(100).default(30),
    after: z.string().max(1000).optional().describe("From a Link header"),
  }),
  success: [200, z.array(LeadTimelineEntry)],
  problems: ["not-found"],
});
