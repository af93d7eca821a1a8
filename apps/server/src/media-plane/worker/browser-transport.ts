import { isIPv4 } from "node:net";

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

import type { BrowserLegState } from "../media-plane.ts";
import type { BrowserOffer, OurSide } from "./browser-description.ts";
import { createFragmentJoiner } from "./join-handshake-fragments.ts";
import { createSrtpPath, isMedia } from "./srtp-path.ts";

/**
 * A browser in a call sends audio every 20 ms, an idle one a consent check every 2.5 s; this long without either means
 * that the connection is cut.
 */
const silenceUntilDisconnectedMs = 6_500;
/** After this, an ICE restart is no longer expected. */
const silenceUntilClosedMs = 60_000;

/**
 * The encrypted path to a browser, on werift's ICE and DTLS transports. It bypasses werift's RTCPeerConnection, which
 * costs 100–150 ms: a 100 ms pause before it starts DTLS (we let the browser start), a query to a public STUN server
 * while gathering, polled ICE checks, and mDNS look-ups (we use the source address of the browser's checks, RFC 8445,
 * section 7.3.1.3).
 */
export function createBrowserTransport(options: {
  certificate: RTCCertificate;
  publicAddress: string | null;
  onState: (state: BrowserLegState) => void;
  onPacket: (packet: RtpPacket) => void;
}) {
  let state: BrowserLegState = "connecting";
  let lastHeardMs = performance.now();
  let startingIce = false;
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

  const path = keepLastPath(connection, {
    isSelected: () => ice.state === "connected",
    isCut: () => state === "disconnected",
    isSecure: () => dtls.state === "connected",
  });
  const takeData = connection.onData.execute;
  const joinFragments = createFragmentJoiner();
  connection.onData.execute = (data) => {
    if (isMedia(data)) return takeMedia(data);
    if (!isTrusted(data, dtls.state)) return;
    const isDtls = data[0] !== undefined && data[0] >= 20 && data[0] <= 63;
    takeData(isDtls ? joinFragments(data) : data);
  };
  ice.onStateChange.subscribe((next) => {
    if (next !== "connected") return;
    path.noteSelected();
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
    options.onPacket(packet);
  }

  function close(): void {
    reportState("closed");
    void dtls.stop();
  }

  return {
    /** Gathers our candidates for the browser's offer. A later offer with other credentials restarts ICE. */
    async gather({ usernameFragment, password }: BrowserOffer): Promise<void> {
      startingIce = false;
      ice.setRemoteParams(new RTCIceParameters({ iceLite: false, usernameFragment, password }));
      await ice.gather();
    },
    /** Once the candidates are gathered. */
    startDtls(offer: BrowserOffer): void {
      dtls.role = offer.weStartDtls ? "client" : "server";
      dtls.setRemoteParams(dtlsParametersOf(offer));
      dtls.start().catch(close);
    },
    ourSide(): Omit<OurSide, "version"> {
      const [fingerprint] = options.certificate.getFingerprints();
      if (!fingerprint) throw new Error("the certificate has no fingerprint");
      return {
        usernameFragment: connection.localUsername,
        password: connection.localPassword,
        fingerprint,
        candidates: [...ice.localCandidates, ...candidatesAt(options.publicAddress, ice.localCandidates)],
      };
    },
    send(packet: RtpPacket): void {
      if (dtls.state === "connected") void connection.send(srtp.encrypt(packet));
    },
    checkLiveness(): void {
      const silentMs = performance.now() - lastHeardMs;
      if (silentMs > silenceUntilClosedMs) close();
      else if (silentMs > silenceUntilDisconnectedMs && state === "connected") reportState("disconnected");
      else if (silentMs < silenceUntilDisconnectedMs && state === "disconnected") reportState("connected");
    },
    close,
  };
}

/**
 * Audio keeps using the last selected path during an ICE restart (RFC 8445, section 9), and when werift gives up because
 * responses to its own consent checks were late, as long as the browser is heard. A browser's first DTLS record can
 * overtake its response to our check; our reply waits here for the first path to be selected.
 */
function keepLastPath(
  connection: RTCIceGatherer["connection"],
  { isSelected, isCut, isSecure }: { isSelected: () => boolean; isCut: () => boolean; isSecure: () => boolean },
) {
  let last: typeof connection.nominated;
  const unsent: Buffer[] = [];
  const sendOnPath = connection.send.bind(connection);
  connection.send = (data) => {
    if (isSelected()) return sendOnPath(data);
    if (last) return isCut() ? Promise.resolve() : last.protocol.sendData(data, last.remoteAddr);
    if (!isSecure()) unsent.push(data);
    return Promise.resolve();
  };
  return {
    noteSelected(): void {
      last = connection.nominated;
      for (const data of unsent.splice(0)) void sendOnPath(data);
    },
  };
}

const dtlsParametersOf = ({ weStartDtls, fingerprints }: BrowserOffer): RTCDtlsParameters =>
  new RTCDtlsParameters(
    fingerprints.map(({ algorithm, value }) => new RTCDtlsFingerprint(algorithm, value)),
    weStartDtls ? "server" : "client",
  );

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

/**
 * werift trusts datagrams from anyone: any alert ends the session, any ClientHello restarts it. Only an encrypted alert
 * can be the browser's, and a ClientHello after we are connected is late or forged.
 */
const isTrusted = (data: Buffer, state: RTCDtlsTransport["state"]): boolean =>
  !isPlainAlert(data) && !(state === "connected" && isPlainHello(data));
