import { createSecretKey } from "node:crypto";

import { isRtcp } from "@leadline/adapter-kit/rtp/rtcp";
import { parseRtpPacket, type RtpPacket } from "@leadline/adapter-kit/rtp/rtp-packet";
import { type RTCDtlsTransport, RtpHeader, type SrtpSession } from "werift";

import { createPacketIndices, type StreamCounts } from "./packet-indices.ts";

/** The cipher fields that hold keys; the last exists only in HMAC profiles. */
const keyFields = ["srtpSessionKey", "srtcpSessionKey", "srtpSessionAuthTag"] as const;

/** Given raw bytes, Node creates a key object for each packet, which costs several times the encryption itself. */
function makeKeyObjectsOnce({ localContext, remoteContext }: SrtpSession): void {
  for (const { cipher } of [localContext, remoteContext]) {
    const fields: Partial<Record<string, unknown>> = Object.fromEntries(Object.entries(cipher));
    for (const name of keyFields) {
      const key = fields[name];
      if (Buffer.isBuffer(key)) Object.assign(cipher, { [name]: createSecretKey(key) });
    }
  }
}

/**
 * werift counts rollovers itself, and loses count if a hundred or more packets are lost around one, or if old packets
 * are replayed. It accepts the count given with a stream's first packet.
 */
function setIndex({ srtpSSRCStates }: SrtpSession["remoteContext"], ssrc: number, index: number): void {
  srtpSSRCStates[ssrc] = { ssrc, rolloverCounter: Math.floor(index / 2 ** 16), lastSequenceNumber: index % 2 ** 16 };
}

/** First byte of RTP and RTCP, and never of DTLS or STUN (RFC 7983, section 7). */
export const isMedia = (datagram: Buffer): boolean =>
  datagram[0] !== undefined && datagram[0] >= 128 && datagram[0] <= 191;
const headerBytes = 12;

/**
 * Encrypts and decrypts packets with the werift SRTP session of a connected DTLS transport, bypassing its events,
 * promises and second header parse. `counts`: of the packets under earlier keys.
 */
export function createSrtpPath(
  dtls: Pick<RTCDtlsTransport, "state" | "srtp">,
  counts: { opened?: StreamCounts; sealed?: StreamCounts } = {},
) {
  const header = new RtpHeader();
  let prepared: SrtpSession | null = null;
  let opened = createPacketIndices(counts.opened);
  let sealed = createPacketIndices(counts.sealed);

  function session(): SrtpSession {
    if (prepared === dtls.srtp) return prepared;
    makeKeyObjectsOnce(dtls.srtp);
    opened = createPacketIndices(counts.opened);
    sealed = createPacketIndices(counts.sealed);
    prepared = dtls.srtp;
    return prepared;
  }

  function decryptAs(index: number, ssrc: number, datagram: Buffer): Buffer | null {
    const { remoteContext, decrypt: openSealed } = session();
    setIndex(remoteContext, ssrc, index);
    try {
      return openSealed(datagram);
    } catch {
      return null;
    } finally {
      // A sender with ever new SSRCs must not fill the memory.
      delete remoteContext.srtpSSRCStates[ssrc];
    }
  }

  function decrypt(datagram: Buffer): Buffer | null {
    const ssrc = datagram.readUInt32BE(8);
    session();
    for (const index of opened.guesses(ssrc, datagram.readUInt16BE(2))) {
      const plain = opened.isNew(ssrc, index) ? decryptAs(index, ssrc, datagram) : null;
      if (!plain) continue;
      opened.note(ssrc, index);
      return plain;
    }
    return null;
  }

  return {
    /** Null for anything that isn't audio of this session: reports, noise, forgeries, replays. */
    open(datagram: Buffer): RtpPacket | null {
      // Nothing here reads a browser's reports, so they aren't decrypted.
      if (dtls.state !== "connected" || datagram.length < headerBytes || isRtcp(datagram)) return null;
      const plain = decrypt(datagram);
      return plain && parseRtpPacket(plain);
    },
    encrypt(packet: RtpPacket): Buffer {
      const { localContext } = session();
      const { ssrc, sequenceNumber } = packet;
      header.payloadType = packet.payloadType;
      header.marker = packet.marker;
      header.sequenceNumber = sequenceNumber;
      header.timestamp = packet.timestamp;
      header.ssrc = ssrc;
      const [index] = sealed.guesses(ssrc, sequenceNumber);
      setIndex(localContext, ssrc, index);
      sealed.note(ssrc, index);
      return localContext.encryptRtp(packet.payload, header);
    },
  };
}
