import type { UsedAccounts } from "../carrier-accounts/use-accounts.ts";
import type { Call } from "@leadline/contract/calls";
import type { NumberRate } from "@leadline/contract/rates";
import type { Database } from "../../db/database.ts";
import type { Tx } from "../../db/transaction.ts";
import type { Log } from "../../log.ts";
import type { MediaPlane } from "../../media-plane/media-plane.ts";
import type { Sealer } from "../../seal-secrets.ts";
import type { MediaConnections } from "../media-connections/media-connections.ts";
import type { StoredCall } from "./calls.table.ts";
import type { InboundRateLimit } from "./inbound/limit-inbound-rate.ts";
import type { Presence } from "../processes/share-presence.ts";
import type { LiveCalls } from "./live-calls.ts";
import type { OpenCarriers } from "../carriers/open-carriers.ts";
import type { RatedCall } from "../rates/find-rate.ts";
import type { RingingCalls } from "./inbound/ringing-calls.ts";
import type { Voicemail } from "./inbound/voicemail.ts";

/** What calls cost (features/rates). */
interface CallRates {
  /** Fetches the price from the carrier's API if it isn't cached. Never rejects. */
  refresh(call: RatedCall): Promise<void>;
  find(tx: Tx, call: RatedCall): Promise<NumberRate>;
}

/** What this feature's verbs depend on. Created once, in run-calls.ts. */
export interface CallDeps {
  /** What a carrier's refusal means, in the vendor's terms. Null if the vendor doesn't explain it. */
  explainRefusal: UsedAccounts["explainRefusal"];
  /** The carrier's own identifier of the call, read from its SIP headers. Null if no header has one. */
  callIdIn: UsedAccounts["callIdIn"];
  callerVerification: UsedAccounts["callerVerification"];
  /** Whether the carrier refuses calls without a caller ID. */
  needsNumber: UsedAccounts["needsNumber"];
  database: Database;
  mediaPlane: MediaPlane;
  connections: MediaConnections;
  carriers: OpenCarriers;
  liveCalls: LiveCalls;
  ringingCalls: RingingCalls;
  inboundRateLimit: InboundRateLimit;
  /** How many inbound calls of one organisation may ring at once. */
  maxRinging: number;
  presence: Presence;
  voicemail: Voicemail;
  rates: CallRates;
  /** How long a call rings before the caller is refused, if voicemail doesn't answer it. */
  ringForMs: number;
  /** How long a call without a tab or incoming audio lasts. */
  unattendedMs: number;
  /** How long the far end may send no audio, when it should, before the call ends. Null: no limit. */
  mediaTimeoutMs: number | null;
  /** This process's key in mark-process-alive.ts. */
  processKey: number;
  /** Encrypts the snapshots of calls that survive a restart. */
  sealer: Sealer;
  log: Log;
}

export function toCall(carriers: OpenCarriers, stored: StoredCall): Call {
  const { organisationId: _, leadId: __, ...call } = stored;
  const { hold, transfer } = carriers.capabilities(stored.carrier);
  return { ...call, canHold: hold, canTransfer: transfer };
}
