import { createSecretKey } from "node:crypto";

import { parseRtpPacket, type RtpPacket } from "@leadline/adapter-kit/rtp/rtp-packet";
import { type RTCDtlsTransport, RtpHeader, type SrtpSession } from "werift";

/** The ciphers' fields that hold keys; the last is the profile's with HMAC only. */
const keyFields = ["srtpSessionKey", "srtcpSessionKey", "srtpSessionAuthTag"] as const;

/** From raw bytes Node makes a key object anew for each packet, which costs several times the ciphering itself. */
function makeKeyObjectsOnce({ localContext, remoteContext }: SrtpSession): void {
  for (const { cipher } of [localContext, remoteContext]) {
    const fields: Partial<Record<string, unknown>> = Object.fromEntries(Object.entries(cipher));
    for (const name of keyFields) {
      const key = fields[name];
      if (Buffer.isBuffer(key)) Object.assign(cipher, { [name]: createSecretKey(key) });
    }
  }
}

/** First byte of what RTP and RTCP send, and no DTLS or STUN does (RFC 7983, section 7). */
export const isMedia = (datagram: Buffer): boolean =>
  datagram[0] !== undefined && datagram[0] >= 128 && datagram[0] <= 191;
/** RFC 5761, section 4. Nobody here reads the browser's reports, so they are not deciphered. */
const isControl = (datagram: Buffer): boolean => datagram[1] !== undefined && datagram[1] >= 192 && datagram[1] <= 223;

/**
 * The way of each packet between the plain and the sealed side, by werift's SRTP session of a DTLS transport that is
 * connected, past its events, promises and second parsing of the header.
 */
export function createSrtpPath(dtls: Pick<RTCDtlsTransport, "state" | "srtp">) {
  const header = new RtpHeader();
  let prepared: SrtpSession | null = null;

  function session(): SrtpSession {
    if (prepared !== dtls.srtp) makeKeyObjectsOnce(dtls.srtp);
    prepared = dtls.srtp;
    return prepared;
  }

  return {
    /** Null for what is not sound of this session: reports, noise, forgeries. */
    open(datagram: Buffer): RtpPacket | null {
      if (dtls.state !== "connected" || isControl(datagram)) return null;
      try {
        return parseRtpPacket(session().decrypt(datagram));
      } catch {
        return null;
      }
    },
    seal(packet: RtpPacket): Buffer {
      header.payloadType = packet.payloadType;
      header.marker = packet.marker;
      header.sequenceNumber = packet.sequenceNumber;
      header.timestamp = packet.timestamp;
      header.ssrc = packet.ssrc;
      return session().encrypt(packet.payload, header);
    },
  };
}
