import type { AudioReading } from "./call-driver.ts";
import { matchReceivedCodec } from "./match-received-codec.ts";

/** Everything that a phone network carries: other codecs would be offered in vain. */
const phoneCodecs = new Set(["audio/opus", "audio/g722", "audio/pcmu", "audio/pcma", "audio/telephone-event"]);

export interface AudioPeer {
  /**
   * The offer, sent without waiting for ICE candidates: the server learns ours from the checks (RFC 8445, section
   * 7.3.1.3).
   */
  makeOffer(options: { restartIce: boolean }): Promise<string>;
  acceptAnswer(sdp: string): Promise<void>;
  setMicrophone(track: MediaStreamTrack | null): Promise<void>;
  remoteTrack: MediaStreamTrack;
  iceState(): RTCIceConnectionState;
  readSound(): Promise<AudioReading>;
  /** Sends, plays and reports nothing from now on. */
  fallSilent(): void;
  close(): void;
}

export interface AudioPeerEvents {
  onIceState: (state: RTCIceConnectionState) => void;
  /** The server closed the secure transport: this connection can't be restored. */
  onGone: () => void;
}

/** One audio line to the server. The microphone is added later, so that opening it needs no permission. */
export function openAudioPeer(iceServers: RTCIceServer[], { onIceState, onGone }: AudioPeerEvents): AudioPeer {
  const connection = new RTCPeerConnection({ bundlePolicy: "max-bundle", iceServers });
  const transceiver = connection.addTransceiver("audio", { direction: "sendrecv" });
  const codecs = RTCRtpReceiver.getCapabilities?.("audio")?.codecs ?? [];
  const usable = codecs.filter((codec) => phoneCodecs.has(codec.mimeType.toLowerCase()));
  if (usable.length > 0) transceiver.setCodecPreferences?.(usable);
  let closed = false;
  const stopFollowing = matchReceivedCodec(transceiver);

  connection.addEventListener("iceconnectionstatechange", () => {
    if (!closed) onIceState(connection.iceConnectionState);
  });
  let watched: RTCDtlsTransport | null = null;
  const watchTransport = (): void => {
    if (watched === transceiver.sender.transport) return;
    watched = transceiver.sender.transport;
    watched?.addEventListener("statechange", () => {
      if (!closed && (watched?.state === "closed" || watched?.state === "failed")) onGone();
    });
  };

  const fallSilent = (): void => {
    closed = true;
    stopFollowing();
    transceiver.receiver.track.enabled = false;
    void transceiver.sender.replaceTrack(null).catch(() => {});
  };

  return {
    async makeOffer({ restartIce }) {
      await connection.setLocalDescription(await connection.createOffer({ iceRestart: restartIce }));
      const sdp = connection.localDescription?.sdp;
      if (!sdp) throw new Error("The browser made no offer.");
      return sdp;
    },
    async acceptAnswer(sdp) {
      await connection.setRemoteDescription({ type: "answer", sdp });
      watchTransport();
    },
    setMicrophone: (track) => transceiver.sender.replaceTrack(track),
    remoteTrack: transceiver.receiver.track,
    iceState: () => connection.iceConnectionState,
    readSound: async () => readingOf(await connection.getStats()),
    fallSilent,
    close() {
      closed = true;
      stopFollowing();
      connection.close();
    },
  };
}

/** The fields of the stats dictionaries that we read (W3C webrtc-stats); lib.dom types the report's values as any. */
interface StatsEntry {
  type?: string;
  kind?: string;
  nominated?: boolean;
  currentRoundTripTime?: number;
  roundTripTime?: number;
  packetsReceived?: number;
  packetsLost?: number;
  jitter?: number;
  totalAudioEnergy?: number;
  totalSamplesDuration?: number;
}

export function readingOf(report: { forEach(visit: (entry: StatsEntry) => void): void }): AudioReading {
  const reading: AudioReading = {
    atMs: performance.now(),
    packetsReceived: 0,
    packetsLost: 0,
    jitterMs: 0,
    roundTripMs: null,
    microphone: null,
  };
  report.forEach((entry) => {
    if (entry.type === "inbound-rtp") {
      reading.packetsReceived = entry.packetsReceived ?? 0;
      reading.packetsLost = Math.max(0, entry.packetsLost ?? 0);
      reading.jitterMs = (entry.jitter ?? 0) * 1000;
    }
    if (entry.type === "candidate-pair" && entry.nominated && entry.currentRoundTripTime !== undefined)
      reading.roundTripMs = entry.currentRoundTripTime * 1000;
    if (entry.type === "media-source" && entry.kind === "audio" && entry.totalAudioEnergy !== undefined)
      reading.microphone = { energy: entry.totalAudioEnergy, seconds: entry.totalSamplesDuration ?? 0 };
  });
  return reading;
}
