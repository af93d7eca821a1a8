import type { CallRate } from "@leadline/contract/rates";
import type { z } from "zod";
import type { CarrierPreset } from "./carrier-preset.ts";
import type { CarrierRefusal } from "./carrier-refusal.ts";
import type { CarrierIdentity, ClaimIdentity } from "./carrier-identity.ts";
import type { ProvenNumber, ShownNumber } from "./shown-number.ts";

/** What a carrier can do beyond placing and ending calls. What it cannot do it declares, and the screens leave out. */
export interface CarrierCapabilities {
  /** hold: the far end can be put on hold. */
  hold: boolean;
  /** transfer: the far end of an answered call can be sent to another number. */
  transfer: boolean;
  /** inbound: it delivers calls to the organisation's numbers. */
  inbound: boolean;
  /** How keys reach the far end: RFC 4733 events in the media, or through the carrier's own signalling; null where they cannot. */
  digits: "media" | "signalling" | null;
  /** numbers: it sells phone numbers. */
  numbers: boolean;
}

/** Why a leg ended, in the terms of SIP (RFC 3261, section 21) and Q.850 (RFC 3398, section 7.2.4.1). */
export interface CarrierHangUpCause {
  reason:
    | "hung-up-there"
    | "busy"
    | "no-answer"
    | "rejected"
    | "number-unknown"
    | "network-failure"
    /** Not the callee but the carrier said no: credit, a destination it does not serve, no common codec. */
    | "carrier-refused"
    /** The carrier does not accept who its settings say that we are. */
    | "credentials-refused"
    /** Our own settings want the sound encrypted, and the far end, or the way there, does not do that. */
    | "not-encrypted"
    /** The number is forwarded to somewhere that the carrier would have us call by ourselves. */
    | "redirected"
    /** The far end wants its audio at an address of a network that may not be reached. */
    | "audio-address-refused";
  sip: number | null;
  q850: number | null;
}

/**
 * In this order: `ringing` and `early-media` any number of times, at most one `answered`, `redescribed`, `held` and `resumed` any
 * number of times after it, exactly one `ended`, then nothing. Of a leg that is resumed, `still-there` once in place of `answered`.
 */
export type CarrierLegEvent =
  | { type: "ringing" }
  /** answer: the far end's SDP; sound flows before the answer (RFC 3960). */
  | { type: "early-media"; answer: string }
  | { type: "answered"; answer: string }
  /** The far end has said so; where it has gone meanwhile, `ended` comes without this. */
  | { type: "still-there" }
  /** answer: the far end's SDP as it is from now on. It moved, changed its codec, or was transferred. */
  | { type: "redescribed"; answer: string }
  /** The far end has put us on hold (RFC 3264, section 8.4): it does not hear us. */
  | { type: "held" }
  /** It hears us again; of a leg that is resumed, it may never have held. */
  | { type: "resumed" }
  | { type: "ended"; cause: CarrierHangUpCause };

export interface DialRequest {
  callSid: string;
  /** E.164. */
  to: string;
  /** E.164, which the organisation owns or has verified; null leaves it to the carrier. */
  callerId: string | null;
  /** Without it, the number of the carrier's settings is shown only where it is among these, or vouched for. */
  proven?: readonly ProvenNumber[];
  /** The call goes to this one of the carrier's servers alone, as ShownNumber names it. */
  server?: string;
  /** SDP (RTP/AVP) of the media plane's side of the leg. A loopback address stands for the one by which the far end reaches us. */
  offer: string;
  onEvent: (event: CarrierLegEvent) => void;
  /** Before `ended`; and the carrier's own headers (x-…) of any response, in lower case and with - for _. */
  onRefused?: (refusal: CarrierRefusal) => void;
  onHeaders?: (headers: Record<string, string>) => void;
}

/** Why a transfer did not come about: what the number's side said of the call, or who would not transfer at all. */
export interface CarrierTransferRefusal {
  reason:
    | Exclude<
        CarrierHangUpCause["reason"],
        "hung-up-there" | "not-encrypted" | "credentials-refused" | "redirected" | "audio-address-refused"
      >
    /** The far end, or the carrier before it, does not know how. */
    | "not-supported"
    /** It knows how, and will not. */
    | "transfer-refused"
    /** Nobody said anything to being asked. */
    | "unanswered";
  sip: number | null;
}

/**
 * `ringing` any number of times, then one of the others; after `unknown`, `taken` may still come. The leg may end before: a
 * far end that has left goes on by itself, and what comes of that may be told still.
 */
export type CarrierTransferEvent =
  | { type: "ringing" }
  /** The far end talks with the other number. The leg has served and is hung up. */
  | { type: "taken" }
  /** The call goes on as it was. */
  | { type: "refused"; why: CarrierTransferRefusal }
  /** It was taken on, and then nothing more was heard of it. The leg is still there. */
  | { type: "unknown" };

/** A cause of Q.850 and its words, as a Reason header holds them (RFC 3326). */
export interface HangUpNotice {
  q850: number;
  text: string;
}

export interface CarrierLeg {
  /** Cancels before the answer, ends after it. No `ended` event follows. Twice is once. `why`: what the far end is told. */
  hangUp(why?: HangUpNotice): Promise<void>;
  /** Where capabilities.hold. Tells the far end; the media plane has already stopped forwarding. */
  setHold?(held: boolean): Promise<void>;
  /**
   * Where capabilities.transfer, of an answered call, one at a time: asks the far end to call `to` (E.164) in our place, or to
   * take our place in another answered call of this carrier's, which its far end then ends (RFC 3891). One that cannot be asked
   * for the second is refused as not-supported, and nobody hears of it.
   */
  transfer?(request: { to: string | CarrierLeg; onEvent: (event: CarrierTransferEvent) => void }): void;
  /** Where capabilities.digits is "signalling", or where this carrier's settings ask for that. */
  sendDigits?(digits: string): Promise<void>;
  /**
   * For a far end that takes no keys in the media: offers them in the signalling. Resolves with those that it didn't take, which
   * are left for the media to play as tones.
   */
  offerDigits?(digits: string): Promise<string>;
  /**
   * What Carrier.resume needs of an answered leg, as JSON; null while there is nothing to resume. `withKeys`: its sound goes on, and
   * what seals it stands in there; a leg that is remembered without can be hung up on.
   */
  remember?(options: { withKeys: boolean }): object | null;
  /** Lets go of the leg and tells the far end nothing: it is resumed elsewhere. No event follows. */
  leave?(): void;
}

/** A call to one of the organisation's numbers, which has not rung anywhere yet. Exactly one of answer and refuse, or it is given up. */
export interface InboundCall {
  /** The number that was called: one of the organisation's own, or what the carrier wrote. */
  to: string;
  /** E.164 where the carrier gave that, else as the carrier wrote it, such as an extension; null where it is withheld. */
  from: string | null;
  /** As the caller's side wrote it; null where there is none. */
  fromName: string | null;
  /** Whether the network vouches for the number (STIR/SHAKEN); null or missing if the carrier says nothing of it. */
  verified?: boolean | null;
  /** The number that forwarded the call here, as `from` is written; null or missing if none did. */
  forwardedBy?: string | null;
  headers?: Parameters<NonNullable<DialRequest["onHeaders"]>>[0];
  /** Somebody is being rung: the caller hears it. Any number of times. */
  ring(): void;
  /**
   * Takes the call. `offer` is the media plane's side, as in DialRequest. The far end's SDP comes as `answered`, then what
   * may follow it on any leg. Rejects where the caller has given up or no codec fits, and then nothing follows.
   */
  answer(request: { offer: string; onEvent: (event: CarrierLegEvent) => void }): Promise<CarrierLeg>;
  /** overloaded: more calls come in than are taken; the caller's side may try again in a while. */
  refuse(why: "busy" | "declined" | "nobody-there" | "not-ours" | "overloaded"): void;
  /** Told once where the caller gives up, or the carrier closes, before the call is answered or refused. */
  onGivenUp(listener: () => void): void;
}

/** How a carrier stands, for the settings; the sentence is written for an owner and holds no secret. */
export interface CarrierState {
  level: "starting" | "working" | "partly" | "down";
  sentence: string;
}

/** One thing that was tried, in the order of trying; what could not be tried any more is left out. */
export interface CarrierCheck {
  what: string;
  ok: boolean;
  sentence: string;
}

/** One signalling message, as it went over the wire except for what is secret. */
export interface CarrierTraceMessage {
  /** Grows with each message. */
  id: number;
  /** ISO 8601. */
  at: string;
  direction: "sent" | "received";
  protocol: string;
  address: string;
  port: number;
  /** The first line. */
  summary: string;
  /** Messages of one call, or of one registration, have the same; null if it can't be read. */
  callId: string | null;
  text: string;
  /** Why the message was ignored; null if it wasn't. */
  ignored: string | null;
}

export interface CarrierTrace {
  /** The newest first. */
  messages: CarrierTraceMessage[];
  /** Addresses that sent something and may not; the last to do so first. */
  strangers: { address: string; packets: number; lastAt: string }[];
}

/** What a carrier tells without having been asked. */
export interface CarrierListener {
  /** Where capabilities.inbound. */
  onInbound(call: InboundCall): void;
  onState(state: CarrierState): void;
  /** A message arrived that nothing came of, for the log. `earlier`: how many like it came before it and were not told. */
  onDropped?(dropped: { from: string; why: string; firstLine: string; earlier: number }): void;
  /** A far end's audio has no address that may be reached, for the log. `address`: null if none was found for the host. */
  onAudioRefused?(refused: { host: string; address: string | null }): void;
}

export interface CarrierNumber {
  /** E.164. */
  number: string;
  /** A place and the region it lies in; null where the number belongs to none. */
  location: string | null;
  region: string | null;
  capabilities: { voice: boolean; sms: boolean; mms: boolean; fax: boolean };
  monthlyCostMicros: number;
  /** A sentence on what the country asks for before the number may be used; null where it asks for nothing. */
  requirement: string | null;
}

/** Somebody else has the number, or the carrier does not sell it: a refusal that stands, and nothing was bought. */
export class NumberNotForSale extends Error {
  override name = "NumberNotForSale";
}

export interface CarrierNumbers {
  /**
   * What is for sale, at most `limit`, in an order that stays; nothing for a country it does not serve. `query` is digits (as
   * dialled at home or abroad), an area code or a place; null finds a mixture.
   */
  search(asked: { countryCode: string; query: string | null; limit: number }): Promise<CarrierNumber[]>;
  /**
   * The same key sent again answers the same purchase and buys nothing twice. Rejects with NumberNotForSale; any other
   * rejection leaves open whether it was bought, and the key may be sent again.
   */
  buy(order: { number: string; idempotencyKey: string }): Promise<CarrierNumber>;
  /** Gives the number back; one that is not held any more is given back already. */
  release(number: string): Promise<void>;
}

export interface Carrier {
  /** Resolves once the carrier has taken the call; rejects where it cannot be reached. Events may come before it resolves. */
  dial(request: DialRequest): Promise<CarrierLeg>;
  /**
   * Goes on with an answered leg of a process that has ended, by what it remembered last. Rejects where that cannot be; a far end
   * that is gone is told as `ended`. `offer`: the media plane's side, as in DialRequest, where that is another now.
   */
  resume?(request: {
    remembered: unknown;
    offer?: string;
    onEvent: (event: CarrierLegEvent) => void;
  }): Promise<CarrierLeg>;
  /** Where capabilities.numbers. */
  numbers?: CarrierNumbers;
  /** Where it depends on somebody else's servers. */
  state?(): CarrierState;
  /** Null if the settings name no number, or its servers aren't known yet. */
  shownNumber?(): ShownNumber | null;
  /** Tries it from the start and says what works; calls go on meanwhile. Never rejects. */
  check?(): Promise<CarrierCheck[]>;
  /** The last signalling messages of this process, without secrets. */
  trace?(): CarrierTrace;
  close(): Promise<void>;
}

/** What a carrier's folder exports as `carrier` from its server.ts. */
export interface CarrierModule<Settings extends z.ZodObject = z.ZodObject> {
  /** Stored with each call: `sandbox`, `sip-trunk`, `twilio`. */
  id: string;
  name: string;
  capabilities: CarrierCapabilities;
  settings: Settings;
  /** Providers and PBXes that it connects, with the settings that they need. */
  presets?: readonly CarrierPreset[];
  /** Of a carrier whose calls leave no machine: what they would cost, by the first digits of a number. */
  madeUpRates?: readonly (CallRate & { prefix: string; description: string })[];
  /** Looks up where these settings lead; what cannot be looked up is left out. */
  identify?(settings: z.output<Settings>): Promise<CarrierIdentity>;
  /**
   * Without a listener, calls that come in are refused. `calledElsewhere`: another process is registered and called for these
   * settings; this one only calls out. `claim`: see ClaimIdentity.
   */
  open(
    settings: z.output<Settings>,
    listener?: CarrierListener,
    shared?: { calledElsewhere: boolean; claim?: ClaimIdentity },
  ): Promise<Carrier>;
}
