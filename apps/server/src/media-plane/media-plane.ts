/**
 * Carries the sound of calls: a browser leg (WebRTC, DTLS-SRTP) bridged to a carrier leg (plain RTP, described in SDP).
 * It knows no call, no user and no carrier. Legs are named by ids of its own making; an unknown id is ignored by
 * close, unbridge and stats, and rejected by the rest.
 */
export interface MediaPlane {
  /**
   * Answers a browser's SDP offer (RFC 8829); rejects with UnusableOffer where it holds no audio line we can serve, with
   * NoMediaServer where nothing is there to carry it. `carrierLegId`: the leg that it is opened for. `besideLegId`: one that it
   * may have to meet, if it can.
   */
  openBrowserLeg(
    offer: string,
    options?: { carrierLegId?: string; besideLegId?: string },
  ): Promise<{ legId: string; answer: string }>;
  /** Whether a server is there for a browser, as far as is known. */
  carriesBrowsers(): boolean;
  /** A new offer on the same leg with new ICE credentials: an ICE restart (RFC 8445, section 9). */
  restartBrowserLeg(legId: string, offer: string): Promise<{ answer: string }>;
  /**
   * Opens a UDP port on all of this machine's addresses and describes it as an RTP/AVP offer with PCMU, PCMA and
   * telephone-event. The offer names loopback: whoever tells it to another machine writes the address it reaches us by. Keys for
   * sealing the leg's sound (SRTP) stand beside (RFC 4568, RFC 8643): they are told over TLS or left out.
   * `browserLegId`: the leg that it will be bridged to; rejects with LegGone where that is closed. `besideLegId`: one that it may
   * have to meet, if it can.
   */
  openCarrierLeg(options?: { browserLegId?: string; besideLegId?: string }): Promise<{ legId: string; offer: string }>;
  /** Early media or the final answer; the later one holds. It names an address that audio may be sent to, not a host. Sound is sealed from then on where it holds a key, and else is not. */
  acceptCarrierAnswer(legId: string, answer: string): Promise<void>;
  /**
   * Sound flows both ways until one is closed. A carrier leg bridged anew leaves its former browser leg. Rejects with LegGone where
   * the browser leg is closed, or cannot meet this carrier leg: one opened for it can.
   */
  bridge(browserLegId: string, carrierLegId: string): Promise<void>;
  /**
   * These legs, at most one of them a browser's, are mixed: each hears all the others and not itself, until it is bridged,
   * joined anew or closed, and the others then go on. A held far end hears the tune and is heard by nobody, a muted one does
   * not hear the browser, and keys that one presses reach the other far ends.
   */
  join(legIds: readonly string[]): Promise<void>;
  /** Whether the far end takes keys as RFC 4733 events; true while it hasn't described itself. */
  takesKeyEvents(carrierLegId: string): Promise<boolean>;
  /** Sends keys to the far end one after the other in place of the sound: as RFC 4733 events, or tones if it takes none. */
  sendDigits(carrierLegId: string, digits: string): Promise<void>;
  /** While held the far end hears a quiet hold tune and the browser hears nothing. */
  setHeld(carrierLegId: string, held: boolean): Promise<void>;
  /** While muted the far end hears silence, whatever the browser sends. */
  setMuted(carrierLegId: string, muted: boolean): Promise<void>;
  /** While silenced, those whom the far end is joined with do not hear it. */
  setSilenced(carrierLegId: string, silenced: boolean): Promise<void>;
  /** Plays raw µ-law sound (8 kHz) to the far end of a leg without a browser; rejects where the leg is closed before its end. */
  play(carrierLegId: string, muLaw: Uint8Array): Promise<void>;
  /** Tells the far end's sound to onRecorded until the leg is closed; the last of it comes before `close` resolves. */
  record(carrierLegId: string): Promise<void>;
  /** What `resume` needs of a leg whose sound outlives this process, as JSON; null where it ends with it. */
  remember(carrierLegId: string): object | null;
  /**
   * Takes up carrier legs of a process that has ended, each as it was remembered: all of one person's at once, as they may meet.
   * They neither meet nor wait as they did until they are told to. Null where a leg's sound is gone.
   */
  resume(remembered: readonly unknown[]): Promise<(ResumedLeg | null)[]>;
  stats(legId: string): Promise<LegStats | null>;
  close(legId: string): Promise<void>;
  /** samples: 16 bits at 8 kHz, half a second or less, one after the other without a gap. */
  onRecorded(listener: (recorded: { legId: string; samples: Int16Array }) => void): void;
  onBrowserLegState(listener: (change: { legId: string; state: BrowserLegState }) => void): void;
  /** Ends every leg and the threads behind them, but for carrier legs that can be resumed: they go on. */
  shutDown(): Promise<void>;
}

/** What carries legs that it has opened itself. */
export type LegPlane = Omit<MediaPlane, "remember" | "resume">;

export interface ResumedLeg {
  carrierLegId: string;
  /** Of the browser that it can meet, under its former id. */
  browserLegId: string | null;
  /** As openCarrierLeg's, where it listens elsewhere now and the far end is to be told. */
  offer: string | null;
}

/** closed: by the browser (DTLS close or consent lost for good) or by us. */
export type BrowserLegState = "connecting" | "connected" | "disconnected" | "closed";

/** Counts of RTP packets of this leg since it opened; jitter as in RFC 3550, section 6.4.1. Null: nobody counts it. */
export interface LegStats {
  packetsReceived: number;
  packetsSent: number | null;
  packetsLost: number | null;
  jitterMs: number | null;
  /** Milliseconds since the last packet came in; null before the first. */
  sinceLastPacketMs: number | null;
}

/** The browser's offer has no audio line, or none with PCMU or PCMA. */
export class UnusableOffer extends Error {
  override name = "UnusableOffer";
}

/** Another browser leg is needed. */
export class LegGone extends Error {
  override name = "LegGone";
}

/** Every server that could carry the sound is away. */
export class NoMediaServer extends Error {
  override name = "NoMediaServer";
}
