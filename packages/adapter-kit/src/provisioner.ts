import type { CallerVerification } from "@leadline/contract/caller-verification";
import type { z } from "zod";
import type { CarrierNumber } from "./carrier-numbers.ts";

/** The carrier that a provisioner's settings are for. */
export const trunkKind = "sip-trunk";

/** In this order. `account` is read first. Each of the others is reported once it is set up. */
export const connectSteps = ["account", "trunk", "credentials", "inbound"] as const;
export type ConnectStep = (typeof connectSteps)[number];

export interface TrunkLimits {
  /** New calls a second on one trunk. The vendor rejects calls above that. */
  callsPerSecond: number;
  /** Simultaneous calls; null if the vendor doesn't say. */
  channels: number | null;
}

export interface VendorAccount {
  /** The vendor's id. Null if it has none. */
  id: string | null;
  name: string | null;
  balance: { micros: number; currency: string } | null;
  limits: TrunkLimits;
  /** What restricts the account, as a sentence for its owner. Null if nothing does. */
  restriction: string | null;
}

export interface WantedTrunk {
  /** Identifies what we created, so that a second run finds it. */
  name: string;
  user: string;
  password: string;
  /** The address at which the vendor's calls reach this server. Null if it has none: then the vendor calls none. */
  calledAt: { address: string; port: number } | null;
  /** The organisation's own limits, also set at the vendor if it can enforce them. */
  callLimits: {
    /** ISO 3166-1. */
    countries: readonly string[];
    dailySpendMicros: number;
    simultaneousCalls: number;
  };
}

export interface ProvisionedTrunk {
  /** Settings for the carrier `trunkKind`. */
  settings: Record<string, unknown>;
  /** How inbound calls arrive, or what to do to make that work. `by` is null if they can't. */
  inbound: { by: "address" | "registration" | null; sentence: string };
}

/** `national`: of no area. `shared-cost`: the caller pays a part. */
export type NumberType = "local" | "mobile" | "toll-free" | "national" | "shared-cost";

export interface NumberRequirement {
  what: string;
  met: boolean;
  /** The country's requirement, and what to do at the vendor if it isn't met. */
  sentence: string;
}

export interface HeldNumber {
  /** E.164. */
  number: string;
  /** The trunk it rings at, by name. Null if none. */
  trunk: string | null;
  /** Where calls to it go now, as a sentence for the owner. Null if nowhere. */
  use: string | null;
  monthlyCostMicros: number | null;
}

export interface BuyIntent {
  number: string;
  countryCode: string;
  type: NumberType;
  /** By name. */
  trunk: string;
  /** Idempotency key: the same intent buys nothing twice. */
  reference: string;
}

/** pending: ordered, and the vendor is still working on it. Repeat the same intent to ask again. */
export type Purchase = { state: "bought"; number: HeldNumber } | { state: "pending"; sentence: string };

export interface CallRate {
  /** Digits after the +. The longest matching prefix applies. */
  prefix: string;
  description: string;
  micros: number;
  currency: string;
  /** A started increment is billed in full. */
  incrementSeconds: number;
}

export interface RatesRead {
  /** The rates are those of every number in the country, or of this number alone. */
  of: "country" | "number";
  rates: CallRate[];
}

export interface CallRecord {
  /** The call's identifier in the vendor's SIP headers. Null if there is none. */
  callId: string | null;
  /** The record's own id, the same if it is sent twice. */
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
  /** The carrier refused, not the callee: another carrier may be able to place the call. */
  ofCarrier: boolean;
  /** It takes no more new calls at this moment: the same call may be placed a second later. */
  tooFast?: true;
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
  /** Creates what is missing, corrects what differs, and leaves everything else alone. Idempotent. */
  ensureTrunk(
    wanted: WantedTrunk,
    onStep: (step: ConnectStep, sentence: string) => Promise<void>,
  ): Promise<ProvisionedTrunk>;
  /** Whether anything that ensureTrunk created under this name is in the account. */
  hasTrunk(name: string): Promise<boolean>;
  /** Removes what ensureTrunk created under this name. Does nothing if nothing is left. */
  removeTrunk(name: string): Promise<void>;
  /** Like CarrierNumbers.search, with the account's own prices. */
  searchNumbers(asked: { countryCode: string; query: string | null; limit: number }): Promise<CarrierNumber[]>;
  /** As the vendor lists it for sale. Null if it lists it as none of these, or not at all. */
  typeOf(number: string, countryCode: string): Promise<NumberType | null>;
  /** `number`: adds what only this number requires. */
  requirements(countryCode: string, type: NumberType, number?: string): Promise<NumberRequirement[]>;
  buy(intent: BuyIntent): Promise<Purchase>;
  /**
   * Ends the order with this reference, if it is open. bought: it was delivered already, and the account has the number.
   * pending: the vendor doesn't cancel it.
   */
  cancel(order: Pick<BuyIntent, "number" | "reference">): Promise<"canceled" | "bought" | "pending">;
  /** Makes a number of the account ring at the trunk with this name. Refused if it is used elsewhere, unless it `moves`. */
  attach(number: string, trunk: string, options: { moves: boolean }): Promise<HeldNumber>;
  /** Succeeds if the account no longer holds it. */
  release(number: string): Promise<void>;
  /** All numbers of the account, however they were bought. */
  numbers(): Promise<HeldNumber[]>;
  /** Whether the account has this number, which is asked for by itself. */
  holds(number: string): Promise<boolean>;
  /** Rates of calls to this number (digits after the +). The country is ISO 3166-1; null if the number is in none. */
  rates(number: { digits: string; country: string | null }): Promise<RatesRead>;
  /** Calls through the trunk with this name that began since then, in no particular order. */
  records(asked: { trunk: string; since: string }): AsyncIterable<CallRecord>;
  close(): void;
}

/** The vendor's servers, or the sandbox that replaces them. */
export interface ProvisionerSandbox {
  /** Its HTTP server. */
  address: URL;
  /** Its SIP server, as host:port over UDP. */
  sip: string;
  /** The same over TLS, and the authority of its certificate, in PEM. */
  sipOverTls: { address: string; authority: string };
}

/** What a vendor's folder exports as `provisioner` from its server.ts. */
export interface ProvisionerModule<Settings extends z.ZodObject = z.ZodObject> {
  /** Stored with each account. */
  id: string;
  name: string;
  /** What an owner enters: the API key. The metadata are the form's texts, like a carrier's. */
  settings: Settings;
  /** Assumed for an account whose limits aren't known. */
  limits: TrunkLimits;
  /** The permissions that the key needs, as a sentence. */
  keyHelp: string;
  /** The SIP header with the identifier used as `callId` in the vendor's records, in lower case, with - for _. */
  callIdHeader: string;
  /**
   * What the vendor's own SIP headers, named like `callIdHeader`, say about an inbound caller's number. The result is null
   * if they don't say. The function is null if the vendor has no such header.
   */
  verifiesCaller: ((headers: Record<string, string>) => CallerVerification | null) | null;
  /** The API reports call prices. Otherwise `rates` returns nothing. */
  readsRates: boolean;
  /** What the vendor's API can't do, and where the owner does it instead. */
  byHand: readonly { what: string; where: string; url: string }[];
  /** Explains a refused call. Null if the response contains nothing specific to this vendor. */
  explainRefusal(status: number, reason: string, headers?: Record<string, string>): ExplainedRefusal | null;
  open(settings: z.output<Settings>, options: { sandbox: ProvisionerSandbox | null }): Promise<Provisioner>;
}
