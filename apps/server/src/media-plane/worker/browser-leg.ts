import { isIPv4 } from "node:net";

import type { PayloadTypes, RtpCodec } from "@leadline/adapter-kit/rtp/rtp-description";
import type { RtpPacket } from "@leadline/adapter-kit/rtp/rtp-packet";
import {
  ProtectionProfileAeadAes128Gcm,
  ProtectionProfileAes128CmHmacSha1_80,
  type RTCCertificate,
  RTCDtlsFingerprint,
  RTCDtlsParameters,
  RTCDtlsTransport,
  RTCIceGatherer,
  RTCIceParameters,
  RTCIceTransport,
} from "werift";

import { type BrowserLegState, type LegStats, UnusableOffer } from "../media-plane.ts";
import { type BrowserOffer, type OurSide, readBrowserOffer, writeBrowserAnswer } from "./browser-description.ts";
import { createFragmentJoiner } from "./join-handshake-fragments.ts";
import { createListeners, type Listeners } from "./listeners.ts";
import { formatOf } from "./packet-formats.ts";
import { createReception } from "./reception.ts";
import { createRtpStream } from "./rtp-stream.ts";
import { createSoundDecoder, type SoundDecoder } from "./audio-codecs.ts";
import { createSrtpPath, isMedia } from "./srtp-path.ts";

/**
 * A browser in a call sends audio every 20 ms, an idle one a consent check every 2.5 s; this long without either means
 * that the connection is cut.
 */
const silenceUntilDisconnectedMs = 6_500;
/** After this, an ICE restart is no longer expected. */
const silenceUntilClosedMs = 60_000;

export interface BrowserLeg extends Listeners {
  side: "browser";
  answer(): string;
  restart(offerSdp: string): Promise<string>;
  /** Its G.711 codec, and the payload types of the others. */
  codec: BrowserOffer["codec"];
  types: PayloadTypes;
  /** Whether packets of this codec can be passed to it unchanged: its own G.711 law, and the wideband codecs. */
  takes(codec: RtpCodec): boolean;
  decoder: SoundDecoder;
  stream: ReturnType<typeof createRtpStream>;
  send(packet: RtpPacket | null): void;
  checkLiveness(): void;
  stats(): LegStats;
  close(): void;
}

/**
 * A browser's side of a call, on werift's ICE and DTLS transports. It bypasses werift's RTCPeerConnection, which costs
 * 100–150 ms: a 100 ms pause before it starts DTLS (we let the browser start), a query to a public STUN server while
 * gathering, polled ICE checks, and mDNS look-ups (we use the source address of the browser's checks, RFC 8445, section
 * 7.3.1.3).
 */
export async function openBrowserLeg(options: {
  offer: string;
  certificate: RTCCertificate;
  publicAddress: string | null;
  onState: (state: BrowserLegState) => void;
}): Promise<BrowserLeg> {
  let offer = readBrowserOffer(options.offer);
  let version = 1;
  let state: BrowserLegState = "connecting";
  let lastHeardMs = performance.now();
  let startingIce = false;
  /**
   * The last selected path. Audio keeps using it during an ICE restart (RFC 8445, section 9), and when werift gives up
   * because responses to its own consent checks were late, as long as the browser is heard.
   */
  let lastPath: RTCIceGatherer["connection"]["nominated"];
  const unsent: Buffer[] = [];
  const reception = createReception();
  const stream = createRtpStream();
  const decoder = createSoundDecoder();
  const listeners = createListeners(decoder);
  const { codec, telephoneEventType, opus, takesG722 } = offer;
  const types: PayloadTypes = { telephoneEventType, opus };

  const gatherer = new RTCIceGatherer({
    additionalHostAddresses: ["127.0.0.1"],
    filterStunResponse(message) {
      const [toUs] = String(message.getAttributeValue("USERNAME") ?? "").split(":");
      if (toUs !== gatherer.connection.localUsername) return false;
      lastHeardMs = performance.now();
      if (!startingIce) queueMicrotask(startIce);
      startingIce = true;
      return true;
    },
  });
  const { connection } = gatherer;
  delete connection.stunServer;
  const ice = new RTCIceTransport(gatherer);
  const dtls = new RTCDtlsTransport({}, ice, options.certificate, [
    ProtectionProfileAeadAes128Gcm,
    ProtectionProfileAes128CmHmacSha1_80,
  ]);

  const srtp = createSrtpPath(dtls);

  function reportState(next: BrowserLegState): void {
    if (state === next || state === "closed") return;
    state = next;
    options.onState(next);
  }

  /** The browser's first check has just been answered, so the check list is no longer empty. */
  function startIce(): void {
    void ice.addRemoteCandidate(undefined);
    ice.start().catch(() => {
      // All checks failed: the next check received, after a restart, tries again. Until then the leg is disconnected.
    });
  }

  // A browser's first DTLS record can overtake its response to our check; our reply waits here for the path to be
  // selected.
  const sendOnPath = connection.send.bind(connection);
  connection.send = (data) => {
    if (ice.state === "connected") return sendOnPath(data);
    if (lastPath)
      return state === "disconnected" ? Promise.resolve() : lastPath.protocol.sendData(data, lastPath.remoteAddr);
    if (dtls.state !== "connected") unsent.push(data);
    return Promise.resolve();
  };
  // werift trusts datagrams from anyone: any alert ends the session, any ClientHello restarts it. Only an encrypted
  // alert can be the browser's, and a ClientHello after we are connected is late or forged.
  const takeData = connection.onData.execute;
  const joinFragments = createFragmentJoiner();
  connection.onData.execute = (data) => {
    if (isMedia(data)) return takeMedia(data);
    if (isPlainAlert(data) || (dtls.state === "connected" && isPlainHello(data))) return;
    const isDtls = data[0] !== undefined && data[0] >= 20 && data[0] <= 63;
    takeData(isDtls ? joinFragments(data) : data);
  };
  ice.onStateChange.subscribe((next) => {
    if (next !== "connected") return;
    lastPath = connection.nominated;
    for (const data of unsent.splice(0)) void sendOnPath(data);
    if (dtls.state === "connected") reportState("connected");
  });
  connection.onData.subscribe(() => {
    lastHeardMs = performance.now();
  });
  dtls.onStateChange.subscribe((next) => {
    if (next === "connected") reportState("connected");
    if (next === "closed" || next === "failed") close();
  });

  function takeMedia(data: Buffer): void {
    const packet = srtp.open(data);
    if (!packet) return;
    lastHeardMs = performance.now();
    const format = formatOf(packet.payloadType, types);
    reception.note(packet, format);
    if (format) listeners.emit(packet, format);
  }

  function applyIce(): Promise<void> {
    const { usernameFragment, password } = offer;
    ice.setRemoteParams(new RTCIceParameters({ iceLite: false, usernameFragment, password }));
    return ice.gather();
  }

  function answer(): string {
    const [fingerprint] = options.certificate.getFingerprints();
    if (!fingerprint) throw new Error("the certificate has no fingerprint");
    return writeBrowserAnswer(offer, {
      usernameFragment: connection.localUsername,
      password: connection.localPassword,
      fingerprint,
      candidates: [...ice.localCandidates, ...candidatesAt(options.publicAddress, ice.localCandidates)],
      version,
    });
  }

  function close(): void {
    listeners.clear();
    decoder.close();
    reportState("closed");
    void dtls.stop();
  }

  const leg: BrowserLeg = {
    side: "browser",
    onPacket: listeners.onPacket,
    listen: listeners.listen,
    codec,
    types,
    takes: (each) => (each === "opus" ? opus !== undefined : each === "G722" ? takesG722 : each === codec),
    decoder,
    stream,
    answer,
    close,
    async restart(offerSdp) {
      const next = readBrowserOffer(offerSdp);
      if (next.fingerprints[0]?.value !== offer.fingerprints[0]?.value) {
        throw new UnusableOffer("The browser’s new offer is not from the same connection.");
      }
      const isRestart = next.usernameFragment !== offer.usernameFragment;
      offer = { ...next, codec, ...types, takesG722, weStartDtls: offer.weStartDtls };
      version++;
      if (isRestart) {
        startingIce = false;
        await applyIce();
      }
      return answer();
    },
    send(packet) {
      if (packet && dtls.state === "connected") void connection.send(srtp.seal(packet));
    },
    checkLiveness() {
      const silentMs = performance.now() - lastHeardMs;
      if (silentMs > silenceUntilClosedMs) close();
      else if (silentMs > silenceUntilDisconnectedMs && state === "connected") reportState("disconnected");
      else if (silentMs < silenceUntilDisconnectedMs && state === "disconnected") reportState("connected");
    },
    stats: () => reception.stats(stream.packetsSent()),
  };

  dtls.role = offer.weStartDtls ? "client" : "server";
  dtls.setRemoteParams(
    new RTCDtlsParameters(
      offer.fingerprints.map(({ algorithm, value }) => new RTCDtlsFingerprint(algorithm, value)),
      offer.weStartDtls ? "server" : "client",
    ),
  );
  await applyIce();
  dtls.start().catch(close);
  options.onState("connecting");
  return leg;
}

/** Adds a NAT's address for each of our IPv4 ports, after our own: local browsers shouldn't go through the router. */
function candidatesAt(publicAddress: string | null, ours: OurSide["candidates"]): OurSide["candidates"] {
  if (publicAddress === null) return [];
  return ours
    .filter(({ ip }) => isIPv4(ip))
    .map(({ foundation, priority, port }) => ({
      foundation: `${foundation}n`,
      priority: priority - 2 ** 24,
      ip: publicAddress,
      port,
    }));
}

/** A DTLS record (RFC 6347, section 4.1) of this content type in epoch 0, before encryption. */
const isPlain = (data: Buffer, contentType: number): boolean =>
  data[0] === contentType && data[3] === 0 && data[4] === 0;
const isPlainAlert = (data: Buffer): boolean => isPlain(data, 21);
/** A handshake record whose first message is a ClientHello (section 4.2.2). */
const isPlainHello = (data: Buffer): boolean => isPlain(data, 22) && data[13] === 1;
