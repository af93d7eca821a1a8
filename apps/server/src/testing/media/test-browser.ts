import { setTimeout as sleep } from "node:timers/promises";

import { toneSamples } from "@leadline/adapter-kit/conformance/tone";
import { samplesPerPacket } from "@leadline/adapter-kit/rtp/g711";
import { createG722Decoder, createG722Encoder } from "@leadline/adapter-kit/rtp/g722";
import { clockRates, type PayloadTypes, payloadTypeOf, type RtpCodec } from "@leadline/adapter-kit/rtp/rtp-description";
import type { RtpPacket } from "@leadline/adapter-kit/rtp/rtp-packet";
import { createRtpSender } from "@leadline/adapter-kit/rtp/rtp-sender";
import { startTicker, tickMs } from "@leadline/adapter-kit/rtp/ticker";
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

import { formatOf, telephoneEventFor } from "../../media-plane/worker/packet-formats.ts";
import { createSoundDecoder, createSoundEncoder } from "../../media-plane/worker/audio-codecs.ts";

/** Chromium's payload types. */
const types: PayloadTypes = { telephoneEventType: 126, opus: { payloadType: 111, telephoneEventType: 110 } };
const codecParameters = (mimeType: string, clockRate: number, payloadType: number, channels = 1) =>
  new RTCRtpCodecParameters({ mimeType, clockRate, channels, payloadType });
/** DTLS content type (RFC 6347, section 4.1). */
const alertType = 21;

const openPeerConnection = (certificate: RTCCertificate, { opus, g722 }: { opus: boolean; g722: boolean }) =>
  new RTCPeerConnection({
    certificates: [certificate],
    codecs: {
      audio: [
        codecParameters("audio/PCMU", clockRates.PCMU, 0),
        ...(opus
          ? [
              codecParameters("audio/opus", clockRates.opus, 111, 2),
              codecParameters("audio/telephone-event", clockRates.opus, 110),
            ]
          : []),
        ...(g722 ? [codecParameters("audio/G722", clockRates.G722, 9)] : []),
        codecParameters("audio/telephone-event", clockRates.PCMU, 126),
      ],
    },
    iceServers: [],
    iceAdditionalHostAddresses: ["127.0.0.1"],
    iceStunGatherTimeout: 0.05,
    bundlePolicy: "max-bundle",
  });

/**
 * The browser in tests: werift's complete peer connection with PCMU and optionally Opus or G.722, sending a tone or
 * silence every 20 ms.
 */
export async function openTestBrowser({ opus = false, g722 = false } = {}) {
  // In a real browser, each connection has its own certificate.
  const connection = openPeerConnection(await freshCertificate(), { opus, g722 });
  const { sender } = connection.addTransceiver("audio", { direction: "sendrecv" });
  const [encoder, decoder] = [createSoundEncoder(), createSoundDecoder()];
  const [toG722, fromG722] = [createG722Encoder(), createG722Decoder()];
  const packets: (RtpPacket & { atMs: number })[] = [];
  const sent: RtpPacket[] = [];
  let codec: RtpCodec = "PCMU";
  const stream = createRtpSender();
  let toneHz: number | null = null;
  let sending = true;
  let samplesSent = 0;

  const ticker = startTicker(() => {
    if (!sending || sender.dtlsTransport.state !== "connected") return;
    const amplitude = toneHz === null ? 0 : undefined;
    const times = codec === "G722" ? 2 : 1;
    const [from, length] = [samplesSent * times, samplesPerPacket * times];
    const samples = toneSamples(toneHz ?? 0, { from, length, amplitude, rate: 8_000 * times });
    samplesSent += samplesPerPacket;
    const sound = codec === "G722" ? toG722.encode(samples) : (encoder.encode(samples, codec) ?? Buffer.alloc(0));
    const clockRate = clockRates[codec];
    const packet =
      stream.key(telephoneEventFor(codec, types)?.payloadType ?? 0, clockRate) ??
      stream.sound(payloadTypeOf(codec, types), sound, (clockRate * tickMs) / 1000);
    sent.push(packet);
    const { payload, ...header } = packet;
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
    /** The packets it has sent. */
    sent,
    /** Switches codec from now on, in the same stream. */
    speak: (next: RtpCodec): void => void (codec = next),
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
      const heard = packets.slice(from).flatMap((packet) => {
        const as = formatOf(packet.payloadType, types)?.codec;
        return as ? [...(decoder.read(packet, as)?.samples ?? [])] : [];
      });
      return Int16Array.from(heard);
    },
    /** Received G.722 audio, at 16 kHz. */
    async listenWide(forMs: number): Promise<Int16Array> {
      const from = packets.length;
      await sleep(forMs);
      const heard = packets.slice(from).filter(({ payloadType }) => payloadType === 9);
      return Int16Array.from(heard.flatMap(({ payload }) => [...fromG722.decode(payload)]));
    },
    /** Ends the DTLS session like a closing page, which werift's own close doesn't do. */
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
    /** By SRTCP, to the audio port. */
    sendReport: (report: Buffer) =>
      sender.dtlsTransport.iceTransport.connection.send(sender.dtlsTransport.srtcp.encrypt(report)),
    sendRaw: (datagram: Buffer) => sender.dtlsTransport.iceTransport.connection.send(datagram),
    async close(): Promise<void> {
      ticker.stop();
      encoder.close();
      decoder.close();
      await connection.close();
    },
  };
}

/** werift keeps one certificate for all connections of a process. */
async function freshCertificate(): Promise<RTCCertificate> {
  const signatureHash = { signature: SignatureAlgorithm.ecdsa_3, hash: HashAlgorithm.sha256_4 };
  const made = await createSelfSignedCertificate(signatureHash, NamedCurveAlgorithm.secp256r1_23);
  return new RTCCertificate(made.keyPem, made.certPem, made.signatureHash);
}

export type TestBrowser = Awaited<ReturnType<typeof openTestBrowser>>;
