import type { CarrierNumbers } from "./carrier-numbers.ts";
import type { CallerVerification } from "@leadline/contract/caller-verification";
import type { CallRate } from "@leadline/contract/rates";
import type { z } from "zod";
import type { CarrierPreset } from "./carrier-preset.ts";
import type { CarrierRefusal } from "./carrier-refusal.ts";
import type { CarrierIdentity, ClaimIdentity } from "./carrier-identity.ts";
import type { VerifiedNumber, ShownNumber } from "./shown-number.ts";

/** What a carrier supports beyond placing and ending calls. Screens hide what it doesn't. */
export interface CarrierCapabilities {
  /** hold: the far end can be put on hold. */
  hold: boolean;
  /** transfer: the far end of an answered call can be transferred to another number. */
  transfer: boolean;
  /** inbound: it delivers calls to the organisation's numbers. */
  inbound: boolean;
  /** How DTMF reaches the far end, unless the carrier's settings say otherwise: as RFC 4733 events. Null: not at all. */
  digits: "media" | null;
  /** numbers: it sells phone numbers. */
  numbers: boolean;
}

/** Why a leg ended, as a SIP status (RFC 3261, section 21) and a Q.850 cause (RFC 3398, section 7.2.4.1). */
export interface CarrierHangUpCause {
  reason:
    | "hung-up-there"
    | "busy"
    | "no-answer"
    | "rejected"
    | "number-unknown"
    | "network-failure"
    /** The carrier refused, not the callee: no credit, an unsupported destination, no common codec. */
    | "carrier-refused"
    /** The carrier rejected our credentials. */
    | "credentials-refused"
    /** Our settings require encrypted audio, and the far end or the transport doesn't support it. */
    | "not-encrypted"
    /** The callee's number is forwarded, and the carrier wants us to call the new number ourselves. */
    | "redirected"
    /** The far end named an audio address in a network that we may not reach. */
    | "audio-address-refused";
  sip: number | null;
  q850: number | null;
}

/**
 * In this order: any number of `ringing` and `early-media`, at most one `answered`, then any number of `redescribed`,
 * `held` and `resumed`, exactly one `ended`, then nothing. A resumed leg has `still-there` once in place of `answered`.
 */
export type CarrierLegEvent =
  | { type: "ringing" }
  /** answer: the far end's SDP. Audio flows before the answer (RFC 3960). */
  | { type: "early-media"; answer: string }
  | { type: "answered"; answer: string }
  /** The far end has confirmed the call. If it is gone, only `ended` is emitted. */
  | { type: "still-there" }
  /** answer: the far end's new SDP, because it moved, changed its codec or was transferred. */
  | { type: "redescribed"; answer: string }
  /** The far end put us on hold (RFC 3264, section 8.4) and doesn't hear us. */
  | { type: "held" }
  /** The far end hears us again. A resumed leg may emit this without an earlier hold. */
  | { type: "resumed" }
  | { type: "ended"; cause: CarrierHangUpCause };

export interface DialRequest {
  callSid: string;
  /** E.164. */
  to: string;
  /** E.164, a number that the organisation owns or has verified. Null: the carrier's default. */
  callerId: string | null;
  /** Without it, the configured number is shown only if it is in this list or vouched for. */
  verifiedNumbers?: readonly VerifiedNumber[];
  /** Sends the call to this server only, named as in ShownNumber. */
  server?: string;
  /** The media plane's SDP (RTP/AVP). A loopback host is replaced by the address at which the far end reaches us. */
  offer: string;
  onEvent: (event: CarrierLegEvent) => void;
  /** Awaited before the call is sent once more, such as to another server. False: it may not be. Missing: no limit. */
  mayRedial?: () => Promise<boolean>;
  /** onRefused: before `ended`. onHeaders: the carrier's own headers (x-…) of any response, in lower case, with - for _. */
  onRefused?: (refusal: CarrierRefusal) => void;
  onHeaders?: (headers: Record<string, string>) => void;
}

/** Why a transfer failed: the target's response, or who refused to transfer. */
export interface CarrierTransferRefusal {
  reason:
    | Exclude<
        CarrierHangUpCause["reason"],
        "hung-up-there" | "not-encrypted" | "credentials-refused" | "redirected" | "audio-address-refused"
      >
    /** The far end, or a server in between, doesn't support transfers. */
    | "not-supported"
    /** It supports transfers and refused. */
    | "transfer-refused"
    /** There was no response to the request. */
    | "unanswered";
  sip: number | null;
}

/**
 * `ringing` any number of times, then one of the others. `taken` may still follow `unknown`. The leg may end before: a
 * far end that has left us continues on its own, and the result may still be reported.
 */
export type CarrierTransferEvent =
  | { type: "ringing" }
  /** The far end talks with the target. The leg is no longer needed and is hung up. */
  | { type: "taken" }
  /** The call continues as before. */
  | { type: "refused"; why: CarrierTransferRefusal }
  /** The request was accepted, and no result was reported. The leg still exists. */
  | { type: "unknown" };

/** A Q.850 cause and its text, as in a Reason header (RFC 3326). */
export interface HangUpNotice {
  q850: number;
  text: string;
}

export interface CarrierLeg {
  /** Cancels before the answer, ends the call after it. Emits no `ended`. Idempotent. `why` is sent to the far end. */
  hangUp(why?: HangUpNotice): Promise<void>;
  /** If capabilities.hold. Signals the far end. The media plane has already stopped forwarding. */
  setHold?(held: boolean): Promise<void>;
  /**
   * If capabilities.transfer: asks the far end of an answered call to call `to` (E.164) in our place, or to replace us
   * in another answered call of this carrier, whose far end then ends our leg (RFC 3891). One request at a time. If
   * replacing isn't possible, the request is refused as not-supported and nothing is sent.
   */
  transfer?(request: { to: string | CarrierLeg; onEvent: (event: CarrierTransferEvent) => void }): void;
  /** If the carrier's settings ask for DTMF in its own signalling. */
  sendDigits?(digits: string): Promise<void>;
  /**
   * For a far end that doesn't accept DTMF in the media: sends the digits in the signalling. Resolves to those it
   * didn't accept, which the media plane then plays as tones.
   */
  offerDigits?(digits: string): Promise<string>;
  /**
   * What Carrier.resume needs for an answered leg, as JSON. Null while there is nothing to resume. `withKeys`: the
   * audio continues, so include the SRTP keys. Without them, the leg can only be hung up.
   */
  snapshot?(options: { withKeys: boolean }): object | null;
  /** Drops the leg without signalling the far end, because another process resumes it. Emits nothing afterwards. */
  leave?(): void;
}

/** A call to one of our numbers that rings nowhere yet. It is answered or refused once, or the caller gives up. */
export interface InboundCall {
  /** The called number: one of the organisation's own, or as the carrier wrote it. */
  to: string;
  /** E.164 if the carrier sent that, otherwise as it wrote it, such as an extension. Null if withheld. */
  from: string | null;
  /** The name sent by the caller's side. Null if there is none. */
  fromName: string | null;
  /** What the network says about the number (STIR/SHAKEN). Null or missing if the carrier doesn't say. */
  verification?: CallerVerification | null;
  /** The number that forwarded the call here, in the format of `from`. Null or missing if none did. */
  forwardedBy?: string | null;
  headers?: Parameters<NonNullable<DialRequest["onHeaders"]>>[0];
  /** Sends ringing to the caller. Can be called any number of times. */
  ring(): void;
  /**
   * Answers the call. `offer` is the media plane's side, as in DialRequest. The far end's SDP arrives as `answered`,
   * followed by the usual events. Rejects if the caller has given up or there is no common codec.
   */
  answer(request: { offer: string; onEvent: (event: CarrierLegEvent) => void }): Promise<CarrierLeg>;
  /** overloaded: too many inbound calls. The caller's side may retry later. */
  refuse(why: "busy" | "declined" | "nobody-there" | "not-ours" | "overloaded"): void;
  /** Called once if the caller gives up, or the carrier closes, before the call is answered or refused. */
  onGivenUp(listener: () => void): void;
}

/** A carrier's state for the settings page. The sentence is for an owner and contains no secret. */
export interface CarrierState {
  level: "starting" | "working" | "partly" | "down";
  sentence: string;
}

/** One step of a check, in order. Steps that could not be tried are left out. */
export interface CarrierCheck {
  what: string;
  ok: boolean;
  sentence: string;
}

/** One signalling message as sent or received, without secrets. */
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
  /** Newest first. */
  messages: CarrierTraceMessage[];
  /** Addresses that sent something without permission, latest first. */
  strangers: { address: string; packets: number; lastAt: string }[];
}

/** Events that a carrier emits on its own. */
export interface CarrierListener {
  /** If capabilities.inbound. */
  onInbound(call: InboundCall): void;
  onState(state: CarrierState): void;
  /** A message arrived and was ignored, for the log. `earlier`: how many similar ones before it were not reported. */
  onDropped?(dropped: { from: string; why: string; firstLine: string; earlier: number }): void;
  /** A far end's audio address may not be reached, for the log. `address`: null if the host has none. */
  onAudioRefused?(refused: { host: string; address: string | null }): void;
}

export interface Carrier {
  /** Resolves once the carrier has accepted the call, possibly after the first events. Rejects if it is unreachable. */
  dial(request: DialRequest): Promise<CarrierLeg>;
  /**
   * Resumes an answered leg of a process that has ended, from that leg's last snapshot. Rejects if that isn't
   * possible. A far end that is gone is reported as `ended`. `offer`: as in DialRequest, if it changed.
   */
  resume?(request: {
    snapshot: unknown;
    offer?: string;
    onEvent: (event: CarrierLegEvent) => void;
  }): Promise<CarrierLeg>;
  /** If capabilities.numbers. */
  numbers?: CarrierNumbers;
  /** If the carrier depends on external servers. */
  state?(): CarrierState;
  /** Null if the settings contain no number, or the servers aren't known yet. */
  shownNumber?(): ShownNumber | null;
  /** Checks the carrier step by step, while calls continue. Never rejects. */
  check?(): Promise<CarrierCheck[]>;
  /** This process's latest signalling messages, without secrets. */
  trace?(): CarrierTrace;
  close(): Promise<void>;
}

/** What a carrier's folder exports as `carrier` from its server.ts. */
export interface CarrierModule<Settings extends z.ZodObject = z.ZodObject> {
  /** Stored with each call: `sandbox`, `sip-trunk`. */
  id: string;
  name: string;
  capabilities: CarrierCapabilities;
  settings: Settings;
  /** Providers and PBXes that it can connect, with their settings. */
  presets?: readonly CarrierPreset[];
  /** For a carrier whose calls stay on this machine: made-up rates by number prefix. */
  madeUpRates?: readonly (CallRate & { prefix: string; description: string })[];
  /** Looks up the servers in these settings. Leaves out what can't be looked up. */
  identify?(settings: z.output<Settings>): Promise<CarrierIdentity>;
  /**
   * Without a listener, inbound calls are refused. `calledElsewhere`: another process is registered and gets the
   * inbound calls, so this one only dials. `claim`: see ClaimIdentity.
   */
  open(
    settings: z.output<Settings>,
    listener?: CarrierListener,
    shared?: { calledElsewhere: boolean; claim?: ClaimIdentity },
  ): Promise<Carrier>;
}
