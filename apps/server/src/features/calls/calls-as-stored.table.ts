import type { CallStatus, HangUpCause } from "@leadline/contract/call-state";
import type { CallFlags, FlagChange } from "@leadline/contract/call-flags";
import type { CallerVerification } from "@leadline/contract/caller-verification";
import type { Call } from "@leadline/contract/calls";
import type { CallRate } from "@leadline/contract/rates";
import { type ColumnType, type Generated, type GeneratedAlways, type RawBuilder, type Selectable, sql } from "kysely";

export interface CallTable {
  /** Grows with time. Lists page by this key. */
  id: GeneratedAlways<number>;
  call_sid: string;
  revision: Generated<number>;
  organisation_id: string;
  /** Null: an inbound call that nobody has answered. */
  user_id: string | null;
  /** The reason given for calling outside the calling hours. */
  hours_override: string | null;
  direction: Call["direction"];
  status: CallStatus;
  /** E.164. */
  phone_number: string;
  /** As the person typed it. */
  phone_number_typed: string;
  /**
   * Inbound only. The number that was called, in E.164 or as the carrier wrote it; and the caller, if that isn't a
   * phone number.
   */
  called_number: string | null;
  caller_id: string | null;
  /** Outbound only. The organisation's number that the callee sees, in E.164. Null: the provider chooses. */
  shown_number: string | null;
  /**
   * Inbound only. Whether the network vouches for the caller's number (null if it didn't say), what it says about it
   * (null also for calls before that was stored), and who forwarded the call.
   */
  caller_verified: boolean | null;
  caller_verification: CallerVerification | null;
  forwarded_by: string | null;
  /** Set on the inbound side of a call between teammates: it rings for this teammate only. */
  rings_for: string | null;
  carrier: string;
  /** The organisation's own carrier. Null: the installation's. */
  carrier_connection_id: string | null;
  created_at: Generated<string>;
  answered_at: string | null;
  ended_at: string | null;
  duration_ms: Generated<number>;
  reason: HangUpCause["reason"] | null;
  sip: number | null;
  q850: number | null;
  muted: Generated<boolean>;
  held: Generated<boolean>;
  held_by_them: Generated<boolean>;
  media_connection_id: string | null;
  /** When a limit or the balance will end the live call, and which one. */
  cut_off_at: string | null;
  cut_off_reason: NonNullable<Call["cutOff"]>["reason"] | null;
  /**
   * Which of the rep's two lines the call is on. Null once it continues without the rep. An ended call keeps its last
   * value.
   */
  line: Generated<1 | 2 | null>;
  joined_with: string | null;
  silenced: Generated<boolean>;
  /** The process that carries the call (mark-process-alive.ts). */
  process_key: number;
  /** When that process last reported the call alive. See lastSeen in abandoned-calls.table.ts. */
  seen_at: Generated<string>;
  /** Another process has resumed the call, and the far end hasn't responded to it yet. */
  resumed_unseen: Generated<boolean>;
  /** The snapshot from which another process can resume the live call (resume-calls.ts). Null if none can. */
  remembered: ColumnType<unknown, string | null | undefined, string | null>;
  /** Whether the call holds, or waits for, one of its carrier's lines. */
  has_line: Generated<boolean>;
  waits_for: string | null;
  /** Why the carrier refused the call, as a sentence. */
  refusal: string | null;
  idempotency_key: string | null;
  request_hash: string | null;
  setup_ms: number | null;
  /** The rate when the call began. Null: free of charge. */
  rate: ColumnType<CallRate | null, string | null | undefined, string | null>;
  /** Its carrier's margin when the call began, in percent. Null if it has none of the organisation's. */
  margin_percent: number | null;
  /** Written when the call ends (cost-of-call.ts). */
  cost_micros: Generated<number>;
  note: Generated<string>;
  /** Normalised by fold-text.ts. Null without a note. */
  note_search: GeneratedAlways<string | null>;
  outcome_id: string | null;
  /** The lead that the call belongs to. Null if no lead, or more than one, has the number. */
  lead_id: string | null;
  /**
   * Set by a trigger once the call's row in call_activities is deleted: the lead, which may be gone, on whose CRM record
   * the call is or may be, and whether the CRM is known to have it (migration 0084).
   */
  logged_for: string | null;
  was_logged: Generated<boolean>;
  /** Its far end's number, name and note are gone. */
  erased_at: string | null;
}

export const flagColumns = ["muted", "silenced"] as const;
export const toFlags = (row: Pick<Selectable<CallTable>, (typeof flagColumns)[number]>): CallFlags => ({
  muted: row.muted,
  silenced: row.silenced,
});
/** Kysely doesn't write what is undefined. */
export const toFlagColumns = ({ muted, silenced }: FlagChange) => ({ muted, silenced });

/** The margin, in percent, of one of the organisation's own carriers. */
export const marginOf = (connectionId: string | null): RawBuilder<number | null> =>
  sql`(select margin_percent from carriers where id = ${connectionId}::uuid)`;
