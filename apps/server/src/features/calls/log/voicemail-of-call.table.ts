import type { Call } from "@leadline/contract/calls";
import { sql } from "kysely";

/** An organisation has few messages and many calls, so start from the messages. */
export const hasMessage = (organisationId: string) => sql<boolean>`(calls.call_sid in (
  select call_sid from voicemail_messages where organisation_id = ${organisationId} and state = 'kept'))`;

/** The caller's message, once it is recorded. */
export const voicemailOfCall = sql<Call["voicemail"]>`(
  select json_build_object('durationMs', duration_ms, 'heardAt', heard_at)
  from voicemail_messages where voicemail_messages.call_sid = calls.call_sid and state = 'kept')`;
