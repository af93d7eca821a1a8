import { vi } from "vitest";

class FakePeer extends EventTarget {
  iceConnectionState: RTCIceConnectionState = "new";
  localDescription: { sdp: string } | null = null;
  microphone: MediaStreamTrack | null = null;
  offers = 0;
  readonly remoteTrack = new EventTarget();
  readonly transport = Object.assign(new EventTarget(), { state: "new" });
  readonly #network: { isUp: boolean };
  #packetsReceived = 0;

  constructor(network: { isUp: boolean }) {
    super();
    this.#network = network;
  }
  addTransceiver() {
    const replaceTrack = async (track: MediaStreamTrack | null) => void (this.microphone = track);
    return {
      sender: { transport: this.transport, replaceTrack },
      receiver: { track: this.remoteTrack, getSynchronizationSources: () => [] },
    };
  }
  async createOffer({ iceRestart }: { iceRestart: boolean }) {
    this.offers += 1;
    return { sdp: `offer ${this.offers}${iceRestart ? ", restarted" : ""}` };
  }
  async setLocalDescription(offer: { sdp: string }) {
    this.localDescription = offer;
  }
  async setRemoteDescription() {
    if (this.#network.isUp) this.become("connected");
  }
  /** Audio flows as long as the network is up: a packet every millisecond. */
  async getStats() {
    if (this.#network.isUp) this.#packetsReceived = Math.round(performance.now());
    return new Map([["audio", { type: "inbound-rtp", packetsReceived: this.#packetsReceived }]]);
  }
  close() {
    this.iceConnectionState = "closed";
  }
  become(state: RTCIceConnectionState) {
    if (this.iceConnectionState === "closed") return;
    this.iceConnectionState = state;
    this.dispatchEvent(new Event("iceconnectionstatechange"));
  }
  /** The server closes the secure transport (RFC 8446, close_notify). */
  endTransport() {
    this.transport.state = "closed";
    this.transport.dispatchEvent(new Event("statechange"));
  }
}

/** A browser's RTCPeerConnection without audio: it connects to any peer, as long as the network is up. */
export function installFakePeers() {
  const peers: FakePeer[] = [];
  const network = { isUp: true };
  vi.stubGlobal(
    "RTCPeerConnection",
    class extends FakePeer {
      constructor() {
        super(network);
        peers.push(this);
      }
    },
  );
  vi.stubGlobal("RTCRtpReceiver", {});
  const open = () => peers.filter((peer) => peer.iceConnectionState !== "closed");
  return {
    peers,
    open,
    cut(): void {
      network.isUp = false;
      for (const peer of open()) peer.become("disconnected");
    },
    mend(): void {
      network.isUp = true;
      for (const peer of open()) peer.become("connected");
    },
  };
}
