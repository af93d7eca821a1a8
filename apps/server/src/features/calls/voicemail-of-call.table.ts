import type { Call } from "@leadline/contract/calls";
import { sql } from "kysely";

/** The message that its caller left, once it is recorded. */
export const voicemailOfCall = sql<Call["voicemail"]>`(
  select json_build_object('durationMs', duration_ms, 'heardAt', heard_at)
  from voicemail_messages where voicemail_messages.call_sid = calls.call_sid and state = 'kept')`;
