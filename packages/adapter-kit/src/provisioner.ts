import type { z } from "zod";
import type { CarrierNumber } from "./carrier.ts";

/** Of the carrier whose settings a provisioner returns. */
export const trunkKind = "sip-trunk";

/** In this order. `account` is read first; each of the others is reported once it is as wanted. */
export const connectSteps = ["account", "trunk", "credentials", "inbound"] as const;
export type ConnectStep = (typeof connectSteps)[number];

export interface TrunkLimits {
  /** New calls a second on one trunk; the vendor rejects what exceeds it. */
  callsPerSecond: number;
  /** Simultaneous calls; null if the vendor doesn't say. */
  channels: number | null;
}

export interface VendorAccount {
  /** As the vendor names it; null if it doesn't. */
  id: string | null;
  name: string | null;
  balance: { micros: number; currency: string } | null;
  limits: TrunkLimits;
  /** What restricts the account, in a sentence for its owner; null if nothing does. */
  restriction: string | null;
}

export interface WantedTrunk {
  /** Only ours is called this: a second run finds by it what an earlier one made. */
  name: string;
  user: string;
  password: string;
  /** Where the vendor's calls reach this server; null if nobody can tell. */
  calledAt: { address: string; port: number } | null;
  /** The organisation's own, which are mirrored wherever the vendor can enforce them. */
  callLimits: {
    /** ISO 3166-1. */
    countries: readonly string[];
    dailySpendMicros: number;
    simultaneousCalls: number;
  };
}

export interface ProvisionedTrunk {
  /** Of the carrier `trunkKind`. */
  settings: Record<string, unknown>;
  /** How calls come in, or what to do so that they can; `by` null: they can't. */
  inbound: { by: "address" | "registration" | null; sentence: string };
}

export type NumberType = "local" | "mobile" | "toll-free";

export interface NumberRequirement {
  what: string;
  met: boolean;
  /** What the country asks for, and what to do at the vendor if it is missing. */
  sentence: string;
}

export interface HeldNumber {
  /** E.164. */
  number: string;
  /** The name of the trunk it rings at; null if none. */
  trunk: string | null;
  monthlyCostMicros: number | null;
}

export interface BuyIntent {
  number: string;
  countryCode: string;
  /** By name. */
  trunk: string;
  /** The same again buys nothing twice. */
  reference: string;
}

/** pending: ordered, and the vendor is working on it; the same intent again asks how it stands. */
export type Purchase = { state: "bought"; number: HeldNumber } | { state: "pending"; sentence: string };

export interface CallRate {
  /** Digits after the +, the longest that matches applies. */
  prefix: string;
  description: string;
  micros: number;
  currency: string;
  /** What is begun counts in full. */
  incrementSeconds: number;
}

export interface CallRecord {
  /** By which the vendor's SIP headers name the call; null if they don't. */
  callId: string | null;
  /** Of this record: one that is sent twice has the same. */
  id: string;
  from: string;
  to: string;
  startedAt: string;
  seconds: number;
  /** Null until the vendor has priced it. */
  micros: number | null;
  currency: string | null;
}

/** What a refused call means, in the vendor's terms. */
export interface ExplainedRefusal {
  sentence: string;
  /** The carrier, not the callee: another carrier may place the call. */
  ofCarrier: boolean;
}

export type ProvisionerFault =
  | "key-refused"
  | "not-permitted"
  | "no-balance"
  | "unverified"
  | "country-not-permitted"
  | "number-gone"
  | "requirement-missing"
  | "too-many-requests"
  | "unreachable"
  | "refused";

/** The message is a sentence for the owner. */
export class ProvisionerError extends Error {
  override name = "ProvisionerError";
  readonly fault: ProvisionerFault;
  constructor(fault: ProvisionerFault, message: string, options?: ErrorOptions) {
    super(message, options);
    this.fault = fault;
  }
}

/** Sets up SIP trunks and buys numbers by a vendor's API. It never touches a call. Its methods reject with ProvisionerError. */
export interface Provisioner {
  account(): Promise<VendorAccount>;
  /** Makes what is missing, corrects what differs, and leaves everything else alone; any number of times. */
  ensureTrunk(
    wanted: WantedTrunk,
    onStep: (step: ConnectStep, sentence: string) => Promise<void>,
  ): Promise<ProvisionedTrunk>;
  /** Removes what ensureTrunk made under this name; nothing if nothing is left. */
  removeTrunk(name: string): Promise<void>;
  /** As CarrierNumbers.search; the prices are the account's own. */
  searchNumbers(asked: { countryCode: string; query: string | null; limit: number }): Promise<CarrierNumber[]>;
  requirements(countryCode: string, type: NumberType): Promise<NumberRequirement[]>;
  buy(intent: BuyIntent): Promise<Purchase>;
  /** Lets a number that the account holds ring at the trunk of this name. */
  attach(number: string, trunk: string): Promise<HeldNumber>;
  /** Resolves too if the account doesn't hold it any more. */
  release(number: string): Promise<void>;
  /** Everything the account holds, however it was bought. */
  numbers(): Promise<HeldNumber[]>;
  /** For calls to numbers that begin with these digits (after the +). */
  rates(prefix: string): Promise<CallRate[]>;
  /** Of calls through the trunk of this name that began since then, in no particular order. */
  records(asked: { trunk: string; since: string }): AsyncIterable<CallRecord>;
  close(): void;
}

/** The vendor's servers, or the sandbox that stands in for them. */
export interface ProvisionerSandbox {
  /** Its HTTP server. */
  address: URL;
  /** Its SIP server, as host:port over UDP. */
  sip: string;
}

/** What a vendor's folder exports as `provisioner` from its server.ts. */
export interface ProvisionerModule<Settings extends z.ZodObject = z.ZodObject> {
  /** Stored with each account. */
  id: string;
  name: string;
  /** What an owner enters: the key. The metadata are the form's words, as of a carrier. */
  settings: Settings;
  /** Of an account of which nothing else is known. */
  limits: TrunkLimits;
  /** Which permissions the key needs, in a sentence. */
  keyHelp: string;
  /** The SIP header, in lower case and with - for _, by which the vendor names a call as `callId` of its records. */
  callIdHeader: string;
  /** Its API says what calls cost; otherwise `rates` answers nothing. */
  readsRates: boolean;
  /** What the vendor's API can't do, and where its owner does it. */
  byHand: readonly { what: string; where: string; url: string }[];
  /** Of a call; null if the response says nothing that is particular to this vendor. */
  explainRefusal(status: number, reason: string, headers?: Record<string, string>): ExplainedRefusal | null;
  open(settings: z.output<Settings>, options: { sandbox: ProvisionerSandbox | null }): Promise<Provisioner>;
}
