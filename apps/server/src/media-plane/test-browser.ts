import { setTimeout as sleep } from "node:timers/promises";

import { toneSamples } from "@leadline/adapter-kit/conformance/tone";
import { decodeSound, encodeSound, samplesPerPacket, silence } from "@leadline/adapter-kit/rtp/g711";
import type { RtpPacket } from "@leadline/adapter-kit/rtp/rtp-packet";
import { createRtpSender } from "@leadline/adapter-kit/rtp/rtp-sender";
import { startTicker } from "@leadline/adapter-kit/rtp/ticker";
import {
  createSelfSignedCertificate,
  HashAlgorithm,
  NamedCurveAlgorithm,
  RTCCertificate,
  RTCPeerConnection,
  RTCRtpCodecParameters,
  RtpHeader,
  SignatureAlgorithm,
} from "werift";

const telephoneEventType = 126;
/** DTLS content type (RFC 6347, section 4.1). */
const alertType = 21;

/** Plays the browser in tests: werift's whole peer connection, PCMU only, sending a tone or silence each 20 ms. */
export async function openTestBrowser() {
  // As each connection of a browser's has its own.
  const certificate = await freshCertificate();
  const connection = new RTCPeerConnection({
    certificates: [certificate],
    codecs: {
      audio: [
        new RTCRtpCodecParameters({ mimeType: "audio/PCMU", clockRate: 8000, channels: 1, payloadType: 0 }),
        new RTCRtpCodecParameters({
          mimeType: "audio/telephone-event",
          clockRate: 8000,
          channels: 1,
          payloadType: telephoneEventType,
        }),
      ],
    },
    iceServers: [],
    iceAdditionalHostAddresses: ["127.0.0.1"],
    iceStunGatherTimeout: 0.05,
    bundlePolicy: "max-bundle",
  });
  const { sender } = connection.addTransceiver("audio", { direction: "sendrecv" });
  const stream = createRtpSender();
  const packets: (RtpPacket & { atMs: number })[] = [];
  let toneHz: number | null = null;
  let sending = true;
  let samplesSent = 0;

  const ticker = startTicker(() => {
    if (!sending || sender.dtlsTransport.state !== "connected") return;
    const sound =
      toneHz === null
        ? silence.PCMU
        : encodeSound(toneSamples(toneHz, { from: samplesSent, length: samplesPerPacket }), "PCMU");
    samplesSent += samplesPerPacket;
    const { payload, ...header } = stream.key(telephoneEventType) ?? stream.sound(0, sound);
    void sender.dtlsTransport.sendRtp(payload, new RtpHeader(header));
  });

  async function offer(): Promise<string> {
    const description = await connection.createOffer();
    await connection.setLocalDescription(description);
    return connection.localDescription?.sdp ?? "";
  }

  const firstOffer = await offer();
  sender.dtlsTransport.onRtp.subscribe(({ header, payload }) => {
    const { payloadType, marker, sequenceNumber, timestamp, ssrc } = header;
    packets.push({ payloadType, marker, sequenceNumber, timestamp, ssrc, payload, atMs: performance.now() });
  });

  return {
    connection,
    offer: firstOffer,
    packets,
    acceptAnswer: (sdp: string) => connection.setRemoteDescription({ type: "answer", sdp }),
    async restartOffer(): Promise<string> {
      connection.restartIce();
      return offer();
    },
    sendTone: (hz: number | null): void => void (toneHz = hz),
    setSending: (next: boolean): void => void (sending = next),
    sendKeys: (keys: string): void => [...keys].forEach((key) => stream.queueKey(key)),
    async listen(forMs: number): Promise<Int16Array> {
      const from = packets.length;
      await sleep(forMs);
      const heard = packets.slice(from).filter(({ payloadType }) => payloadType === 0);
      return Int16Array.from(heard.flatMap(({ payload }) => [...decodeSound(payload, "PCMU")]));
    },
    /** As a closing page does: the DTLS session says goodbye, which werift's own close leaves out. */
    async sayGoodbye(): Promise<void> {
      const { dtls } = sender.dtlsTransport;
      if (!dtls?.cipher.cipher) throw new Error("not connected");
      const header = { type: alertType, version: 0xfefd, epoch: 1, sequenceNumber: ++dtls.dtls.recordSequenceNumber };
      const closeNotify = Buffer.from([1, 0]);
      const sealed = dtls.cipher.cipher.encrypt(dtls.sessionType, closeNotify, header);
      const record = Buffer.alloc(13);
      record.writeUInt8(header.type, 0);
      record.writeUInt16BE(header.version, 1);
      record.writeUInt16BE(header.epoch, 3);
      record.writeUIntBE(header.sequenceNumber, 5, 6);
      record.writeUInt16BE(sealed.length, 11);
      await sender.dtlsTransport.iceTransport.connection.send(Buffer.concat([record, sealed]));
    },
    sendRaw: (datagram: Buffer) => sender.dtlsTransport.iceTransport.connection.send(datagram),
    async close(): Promise<void> {
      ticker.stop();
      await connection.close();
    },
  };
}

/** werift keeps one for all of a process's connections. */
async function freshCertificate(): Promise<RTCCertificate> {
  const signatureHash = { signature: SignatureAlgorithm.ecdsa_3, hash: HashAlgorithm.sha256_4 };
  const made = await createSelfSignedCertificate(signatureHash, NamedCurveAlgorithm.secp256r1_23);
  return new RTCCertificate(made.keyPem, made.certPem, made.signatureHash);
}

export type TestBrowser = Awaited<ReturnType<typeof openTestBrowser>>;
