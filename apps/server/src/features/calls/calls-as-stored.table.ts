import type { CallStatus, HangUpCause } from "@leadline/contract/call-state";
import type { Call } from "@leadline/contract/calls";
import type { CallRate } from "@leadline/contract/rates";
import type { ColumnType, Generated, GeneratedAlways } from "kysely";

export interface CallTable {
  /** Grows with time: the key that lists page by. */
  id: GeneratedAlways<number>;
  call_sid: string;
  revision: Generated<number>;
  organisation_id: string;
  /** Null: inbound, and nobody took it. */
  user_id: string | null;
  /** Why it was made outside the hours. */
  hours_override: string | null;
  direction: Call["direction"];
  status: CallStatus;
  /** E.164. */
  phone_number: string;
  /** As the person typed it. */
  phone_number_typed: string;
  /** Inbound: the number that was called, E.164 or as the carrier wrote it; and who calls, where that is no phone number. */
  called_number: string | null;
  caller_id: string | null;
  /** Inbound: whether the network vouches for the caller's number, null if it said nothing; and who forwarded the call. */
  caller_verified: boolean | null;
  forwarded_by: string | null;
  /** The teammate who is called, of a call between teammates: the inbound one rings for them alone. */
  rings_for: string | null;
  carrier: string;
  /** Of the organisation's own; null: the installation's. */
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
  /** When a limit or the balance will end the live call, and which of them. */
  cut_off_at: string | null;
  cut_off_reason: NonNullable<Call["cutOff"]>["reason"] | null;
  /** Of its person's two lines; null where it goes on without them. One that has ended keeps its last. */
  line: Generated<1 | 2 | null>;
  joined_with: string | null;
  silenced: Generated<boolean>;
  /** The process that carries the call (mark-process-alive.ts). */
  process_key: number;
  /** When that process last said so of this call; see lastSeen in abandoned-calls.table.ts. */
  seen_at: Generated<string>;
  /** Another process has resumed it, and its far end hasn't answered that one yet. */
  resumed_unseen: Generated<boolean>;
  /** While live: with what another process goes on with it (resume-calls.ts); null where none can. */
  remembered: ColumnType<unknown, string | null | undefined, string | null>;
  /** It has one of its carrier's lines, or waits for one: of which carrier. */
  has_line: Generated<boolean>;
  waits_for: string | null;
  /** Why its carrier refused it, in a sentence. */
  refusal: string | null;
  idempotency_key: string | null;
  request_hash: string | null;
  setup_ms: number | null;
  /** As it was when the call began; null: it costs nothing. */
  rate: ColumnType<CallRate | null, string | null | undefined, string | null>;
  /** Written with the end, by it (cost-of-call.ts). */
  cost_micros: Generated<number>;
  note: Generated<string>;
  /** Folded (fold-text.ts); null where there is none. */
  note_search: GeneratedAlways<string | null>;
  outcome_id: string | null;
  /** The one it belongs to, whoever else has the number; null where it is nobody's, or several leads'. */
  lead_id: string | null;
}
