import { soundPayloadTypes } from "@leadline/adapter-kit/rtp/rtp-description";
import { parseRtpPacket, type RtpPacket } from "@leadline/adapter-kit/rtp/rtp-packet";
import { createRtpSender } from "@leadline/adapter-kit/rtp/rtp-sender";
import * as sdpTransform from "sdp-transform";
import {
  IceCandidate,
  ProtectionProfileAeadAes128Gcm,
  RTCDtlsFingerprint,
  RTCDtlsParameters,
  RTCDtlsTransport,
  RTCIceGatherer,
  RTCIceParameters,
  RTCIceTransport,
} from "werift";

import { createSrtpPath, isMedia } from "../../media-plane/worker/srtp-path.ts";

/**
 * A browser's side of a call without a browser: werift's ICE and DTLS, one encrypted packet per tick, and nothing kept
 * of what arrives. A hundred of them leave their process idle enough to measure another, and more if received packets
 * aren't decrypted.
 */
export async function openLeanBrowser(options: {
  /** 20 ms of PCMU. */
  nextSound: () => Buffer;
  onPacket: (packet: RtpPacket, atMs: number) => void;
  /** Instead gets only the header of each packet, which isn't encrypted. */
  onHeader?: ((header: Omit<RtpPacket, "payload">, atMs: number) => void) | undefined;
}) {
  const certificate = await RTCDtlsTransport.SetupCertificate();
  const gatherer = new RTCIceGatherer({ additionalHostAddresses: ["127.0.0.1"], useIpv6: false });
  const { connection } = gatherer;
  delete connection.stunServer;
  connection.iceControlling = true;
  const ice = new RTCIceTransport(gatherer);
  const dtls = new RTCDtlsTransport({}, ice, certificate, [ProtectionProfileAeadAes128Gcm]);
  const srtp = createSrtpPath(dtls);
  const stream = createRtpSender();
  /** Packets waiting for their ticks. */
  const sealed: Buffer[] = [];
  let encryptsAhead = false;
  await ice.gather();

  let verifyRequests = 0;
  const takeData = connection.onData.execute;
  connection.onData.execute = (data) => {
    // werift fails on a second one, which it requests itself if the first was late.
    if (isHelloVerifyRequest(data) && ++verifyRequests > 1) return;
    if (!isMedia(data)) return takeData(data);
    const atMs = performance.now();
    const packet = options.onHeader ? parseRtpPacket(data) : srtp.open(data);
    if (packet) (options.onHeader ?? options.onPacket)(packet, atMs);
  };

  return {
    offer: writeOffer({
      usernameFragment: connection.localUsername,
      password: connection.localPassword,
      fingerprint: certificate.getFingerprints()[0]?.value ?? "",
    }),
    async acceptAnswer(sdp: string): Promise<void> {
      const [audio] = sdpTransform.parse(sdp).media;
      if (!audio?.iceUfrag || !audio.icePwd || !audio.fingerprint) throw new Error("the answer lacks its credentials");
      const { iceUfrag: usernameFragment, icePwd: password, fingerprint } = audio;
      ice.setRemoteParams(new RTCIceParameters({ iceLite: false, usernameFragment, password }));
      const near = audio.candidates?.find(({ ip }) => ip === "127.0.0.1");
      if (!near) throw new Error("the answer has no candidate on this machine");
      const { foundation, ip, port } = near;
      const priority = Number(near.priority);
      await ice.addRemoteCandidate(new IceCandidate(1, String(foundation), ip, port, priority, "udp", "host"));
      await ice.addRemoteCandidate(undefined);
      const weStart = audio.setup !== "active";
      dtls.role = weStart ? "client" : "server";
      const { type, hash } = fingerprint;
      dtls.setRemoteParams(new RTCDtlsParameters([new RTCDtlsFingerprint(type, hash)], weStart ? "server" : "client"));
      await ice.start();
      await dtls.start();
    },
    /** Every 20 ms, as a microphone would. */
    tick(): void {
      if (dtls.state !== "connected") return;
      const packets = encryptsAhead ? 2 : sealed.length > 0 ? 0 : 1;
      for (let packet = 0; packet < packets; packet++)
        sealed.push(srtp.encrypt(stream.sound(soundPayloadTypes.PCMU, options.nextSound())));
      const next = sealed.shift();
      if (next) void connection.send(next);
    },
    /** While on, encrypts two packets per tick and stores one; the stored packets are sent later, at less cost. */
    encryptAhead: (seals: boolean): void => void (encryptsAhead = seals),
  };
}

export type LeanBrowser = Awaited<ReturnType<typeof openLeanBrowser>>;

/** An unencrypted handshake record whose first message is HelloVerifyRequest (RFC 6347, section 4.3.2). */
const isHelloVerifyRequest = (data: Buffer): boolean =>
  data[0] === 22 && data[3] === 0 && data[4] === 0 && data[13] === 3;

function writeOffer(ours: { usernameFragment: string; password: string; fingerprint: string }): string {
  return [
    "v=0",
    "o=- 1 1 IN IP4 127.0.0.1",
    "s=-",
    "t=0 0",
    "a=group:BUNDLE 0",
    "m=audio 9 UDP/TLS/RTP/SAVPF 0",
    "c=IN IP4 0.0.0.0",
    "a=mid:0",
    "a=sendrecv",
    "a=rtcp-mux",
    `a=ice-ufrag:${ours.usernameFragment}`,
    `a=ice-pwd:${ours.password}`,
    `a=fingerprint:sha-256 ${ours.fingerprint}`,
    "a=setup:actpass",
    "a=rtpmap:0 PCMU/8000",
    "",
  ].join("\r\n");
}
