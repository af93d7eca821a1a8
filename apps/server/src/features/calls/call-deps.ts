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
import type { CallsThatCome } from "./inbound/limit-inbound-rate.ts";
import type { Presence } from "../processes/share-presence.ts";
import type { LiveCalls } from "./live-calls.ts";
import type { OpenCarriers } from "../carriers/open-carriers.ts";
import type { RatedCall } from "../rates/find-rate.ts";
import type { RingingCalls } from "./inbound/ringing-calls.ts";
import type { Voicemail } from "./inbound/voicemail.ts";

/** What calls cost (features/rates). */
interface CallRates {
  /** Asks the carrier's API where that is needed. Never rejects. */
  refresh(call: RatedCall): Promise<void>;
  find(tx: Tx, call: RatedCall): Promise<NumberRate>;
}

/** What the verbs of this feature work with; main.ts makes it once. */
export interface CallDeps {
  /** What a carrier's refusal means, in the words of its vendor; null where that says nothing. */
  explainRefusal: UsedAccounts["explainRefusal"];
  /** How the carrier names the call, by the headers of its SIP messages; null where none of them says. */
  callIdIn: UsedAccounts["callIdIn"];
  database: Database;
  mediaPlane: MediaPlane;
  connections: MediaConnections;
  carriers: OpenCarriers;
  liveCalls: LiveCalls;
  ringingCalls: RingingCalls;
  callsThatCome: CallsThatCome;
  /** Inbound calls of one organisation that may ring at once. */
  mostRinging: number;
  presence: Presence;
  voicemail: Voicemail;
  rates: CallRates;
  /** How long a call rings before its caller is told that nobody is there, where no voicemail takes it. */
  ringForMs: number;
  /** How long a call that no tab is near, and no audio comes in from, lasts. */
  unattendedMs: number;
  /** How long a far end that owes us audio may send none before the call ends; null: for ever. */
  mediaTimeoutMs: number | null;
  /** This process, as mark-process-alive.ts knows it. */
  processKey: number;
  /** Of what stands in rows of calls that go on after a restart. */
  sealer: Sealer;
  log: Log;
}

export function toCall(carriers: OpenCarriers, stored: StoredCall): Call {
  const { organisationId: _, leadId: __, ...call } = stored;
  const { hold, transfer } = carriers.capabilities(stored.carrier);
  return { ...call, canHold: hold, canTransfer: transfer };
}
