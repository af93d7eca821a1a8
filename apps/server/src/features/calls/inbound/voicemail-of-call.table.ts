import type { Call } from "@leadline/contract/calls";
import { sql } from "kysely";

/** Of its organisation the messages are few, and its calls many. */
export const hasMessage = (organisationId: string) => sql<boolean>`(calls.call_sid in (
  select call_sid from voicemail_messages where organisation_id = ${organisationId} and state = 'kept'))`;

/** The message that its caller left, once it is recorded. */
export const voicemailOfCall = sql<Call["voicemail"]>`(
  select json_build_object('durationMs', duration_ms, 'heardAt', heard_at)
  from voicemail_messages where voicemail_messages.call_sid = calls.call_sid and state = 'kept')`;
