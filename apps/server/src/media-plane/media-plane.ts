import type { PromptEnd, Room, TappedAudio } from "./room.ts";

/**
 * Carries the sound of calls: a browser leg (WebRTC, DTLS-SRTP) bridged to a carrier leg (plain RTP, described in SDP).
 * Who hears whom is a room's to say. It knows no call, no user and no carrier. Legs are named by ids of its own making; an unknown id is ignored by
 * close and stats, and rejected by the rest.
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
   * `browserLegId`: the leg that it will meet; rejects with LegGone where that is closed. `besideLegId`: one that it may
   * have to meet, if it can.
   */
  openCarrierLeg(options?: { browserLegId?: string; besideLegId?: string }): Promise<{ legId: string; offer: string }>;
  /** Early media or the final answer; the later one holds. It names an address that audio may be sent to, not a host. Sound is sealed from then on where it holds a key, and else is not. */
  acceptCarrierAnswer(legId: string, answer: string): Promise<void>;
  /**
   * Lets everybody hear what the room says, and nobody else. The same room again changes nothing; one that failed halfway is still
   * wanted, until another takes its place. Rejects with LegGone where a leg is closed or these cannot meet: a browser leg meets
   * the carrier legs that were opened for it, or that it was opened for. Keys that a far end presses reach the far ends that hear
   * it in a mix.
   */
  apply(room: Room): Promise<void>;
  /** Whether the far end takes keys as RFC 4733 events; true while it hasn't described itself. */
  takesKeyEvents(carrierLegId: string): Promise<boolean>;
  /** Sends keys to the far end one after the other in place of the sound: as RFC 4733 events, or tones if it takes none. */
  sendDigits(carrierLegId: string, digits: string): Promise<void>;
  /** What `restore` needs of a leg whose audio outlives this process, as JSON; null where it ends with it. */
  snapshot(carrierLegId: string): object | null;
  /**
   * Takes up carrier legs of a process that has ended, each by its snapshot: all of one person's at once, as they may meet. Who
   * hears whom stays as it was, or is silence, until the next room. Null where a leg's audio is gone.
   */
  restore(snapshots: readonly unknown[]): Promise<(RestoredLeg | null)[]>;
  stats(legId: string): Promise<LegStats | null>;
  close(legId: string): Promise<void>;
  /** Both sides of a tap: 16 bits at 8 kHz, two seconds or less, one after the other without a gap. The last comes before `close` resolves. */
  onTapped(listener: (audio: TappedAudio) => void): void;
  /** An announcement has been heard whole, or was cut short. Returns an unsubscribe function. */
  onPromptEnd(listener: (end: PromptEnd) => void): () => void;
  onBrowserLegState(listener: (change: { legId: string; state: BrowserLegState }) => void): void;
  /** Ends every leg and the threads behind them, but for carrier legs that can be resumed: they go on. */
  shutDown(): Promise<void>;
}

/** What carries legs that it has opened itself. */
export type LegPlane = Omit<MediaPlane, "snapshot" | "restore">;

export interface RestoredLeg {
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
