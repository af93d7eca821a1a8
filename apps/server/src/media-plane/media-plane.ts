import type { PromptEnd, Room, TappedAudio } from "./room.ts";

/**
 * Carries the audio of calls: a browser leg (WebRTC, DTLS-SRTP) bridged to a carrier leg (RTP or SRTP, described in
 * SDP). A room says who hears whom. The media plane doesn't know calls, users or carriers. It creates the leg ids;
 * close and stats ignore an unknown id, and everything else rejects it.
 */
export interface MediaPlane {
  /**
   * Answers a browser's SDP offer (RFC 8829). Rejects with UnusableOffer if the offer has no audio line that we can
   * serve, and with NoMediaServer if no server can carry it. `carrierLegId`: the carrier leg that it is opened for.
   * `colocateWith`: a leg that it may later share a room with, if possible.
   */
  openBrowserLeg(
    offer: string,
    options?: { carrierLegId?: string; colocateWith?: string },
  ): Promise<{ legId: string; answer: string }>;
  /** Whether a server is available for browsers, as far as is known. */
  carriesBrowsers(): boolean;
  /** Accepts a new offer with new ICE credentials for the same leg: an ICE restart (RFC 8445, section 9). */
  restartBrowserLeg(legId: string, offer: string): Promise<{ answer: string }>;
  /**
   * Opens a UDP port on all of this machine's addresses and describes it as an RTP/AVP offer with PCMU, PCMA and
   * telephone-event. The offer names loopback: the caller replaces it with the address at which the remote machine
   * reaches us. The SRTP keys are returned separately (RFC 4568, RFC 8643): send them over TLS or not at all.
   * `browserLegId`: the browser leg that it will be bridged to; rejects with LegGone if that is closed. `colocateWith`:
   * a leg that it may later share a room with, if possible.
   */
  openCarrierLeg(options?: { browserLegId?: string; colocateWith?: string }): Promise<{ legId: string; offer: string }>;
  /**
   * Applies early media or the final answer; the later one wins. It must name an address that audio may be sent to, not
   * a host name. The audio is encrypted from then on if the answer holds a key, and plain otherwise.
   */
  acceptCarrierAnswer(legId: string, answer: string): Promise<void>;
  /**
   * Makes the participants hear exactly what the room says. Applying the same room again changes nothing. A room that
   * failed halfway stays wanted until another replaces it. Rejects with LegGone if a leg is closed or these legs can't
   * be bridged: a browser leg can only be bridged to the carrier legs that were opened for it, or that it was opened
   * for. A far end's DTMF digits reach the far ends that hear it in a mix.
   */
  apply(room: Room): Promise<void>;
  /** Whether the far end accepts DTMF as RFC 4733 events; true until it has described itself. */
  takesKeyEvents(carrierLegId: string): Promise<boolean>;
  /**
   * Sends DTMF digits to the far end one after the other in place of the audio: as RFC 4733 events, or as tones if it
   * doesn't accept events.
   */
  sendDigits(carrierLegId: string, digits: string): Promise<void>;
  /**
   * What `restore` needs for a leg whose audio outlives this process, as JSON; null if the audio ends with the process.
   */
  snapshot(carrierLegId: string): object | null;
  /**
   * Restores the carrier legs of a dead process from their snapshots: all of one person's at once, as they may share a
   * room. Who hears whom stays as it was, or is silence, until the next room. Null for a leg whose audio is gone.
   */
  restore(snapshots: readonly unknown[]): Promise<(RestoredLeg | null)[]>;
  stats(legId: string): Promise<LegStats | null>;
  close(legId: string): Promise<void>;
  /**
   * Reports both sides of a tap: 16-bit samples at 8 kHz, at most two seconds at a time, consecutive. The last part is
   * reported before `close` resolves.
   */
  onTapped(listener: (audio: TappedAudio) => void): void;
  /** Called when an announcement has played to its end or was cut short. Returns an unsubscribe function. */
  onPromptEnd(listener: (end: PromptEnd) => void): () => void;
  onBrowserLegState(listener: (change: { legId: string; state: BrowserLegState }) => void): void;
  /** Closes every leg and its threads, except carrier legs that can be resumed. */
  shutDown(): Promise<void>;
}

/** A media plane that only knows the legs it has opened itself. */
export type LegPlane = Omit<MediaPlane, "snapshot" | "restore">;

export interface RestoredLeg {
  carrierLegId: string;
  /** The browser leg that it can be bridged to, under its former id. */
  browserLegId: string | null;
  /** As openCarrierLeg's offer, if the leg now listens elsewhere and the far end must be re-invited. */
  offer: string | null;
}

/** closed: by the browser (DTLS close, or lasting loss of consent) or by us. */
export type BrowserLegState = "connecting" | "connected" | "disconnected" | "closed";

/** RTP packet counts of this leg since it opened; jitter as in RFC 3550, section 6.4.1. Null: not counted. */
export interface LegStats {
  packetsReceived: number;
  packetsSent: number | null;
  packetsLost: number | null;
  jitterMs: number | null;
  /** Milliseconds since the last packet arrived; null before the first. */
  sinceLastPacketMs: number | null;
}

/** The browser's offer has no audio line, or none with PCMU or PCMA. */
export class UnusableOffer extends Error {
  override name = "UnusableOffer";
}

/** The carrier leg needs another browser leg. */
export class LegGone extends Error {
  override name = "LegGone";
}

/** No server that could carry the audio is reachable. */
export class NoMediaServer extends Error {
  override name = "NoMediaServer";
}
