import { z } from "zod";
import { Call } from "./calls.ts";
import { endpoint } from "./endpoint.ts";
import { DueFollowUps } from "./follow-ups.ts";
import { Id } from "./identifiers.ts";
import { SyncProgress } from "./integrations.ts";
import { Organisation } from "./organisations.ts";

/**
 * The events of the live stream, by name. `data` is JSON of the schema. `id` grows, and the stream resumes after
 * `Last-Event-ID`. `reset`: missed events are no longer available, so read everything again.
 */
export const liveEventSchemas = {
  "call.updated": Call,
  "organisation.updated": Organisation.omit({ role: true }),
  "phone-numbers.changed": z.object({}),
  "billing.changed": z.object({}),
  "integration.updated": z.object({ integrationId: Id }),
  "sync.updated": SyncProgress,
  "lead.written": z.object({ leadId: Id }),
  "follow-ups.due": DueFollowUps,
  reset: z.object({}),
} as const;

export type LiveEventType = keyof typeof liveEventSchemas;
export type LiveEventData<T extends LiveEventType> = z.infer<(typeof liveEventSchemas)[T]>;

export const streamLiveEvents = endpoint({
  method: "GET",
  path: "/v1/events",
  summary:
    "Live events of your active organisation, as text/event-stream; ends when the session or the membership does",
  access: "signed-in",
  audit: null,
  headers: z.object({
    "last-event-id": z
      .string()
      .regex(/^\d{1,18}$/)
      .optional(),
  }),
  success: [200, "events"],
  problems: [],
});
