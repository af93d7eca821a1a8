/** An RTP packet (RFC 3550, section 5.1) without what phone networks don't use: CSRCs, extensions, padding. */
export interface RtpPacket {
  payloadType: number;
  marker: boolean;
  sequenceNumber: number;
  timestamp: number;
  ssrc: number;
  payload: Buffer;
}

const headerBytes = 12;

/** Null for anything that isn't RTP, including RTCP (RFC 5761, section 4). The payload shares the datagram's memory. */
export function parseRtpPacket(datagram: Buffer): RtpPacket | null {
  if (datagram.length < headerBytes) return null;
  const first = datagram.readUInt8(0);
  const second = datagram.readUInt8(1);
  if (first >> 6 !== 2) return null;
  if (second >= 192 && second <= 223) return null;

  let start = headerBytes + (first & 0x0f) * 4;
  if (first & 0x10) {
    if (datagram.length < start + 4) return null;
    start += 4 + datagram.readUInt16BE(start + 2) * 4;
  }
  const padding = first & 0x20 ? datagram.readUInt8(datagram.length - 1) : 0;
  const end = datagram.length - padding;
  if (end < start) return null;

  return {
    payloadType: second & 0x7f,
    marker: (second & 0x80) !== 0,
    sequenceNumber: datagram.readUInt16BE(2),
    timestamp: datagram.readUInt32BE(4),
    ssrc: datagram.readUInt32BE(8),
    payload: datagram.subarray(start, end),
  };
}

export function writeRtpPacket(packet: RtpPacket): Buffer {
  const datagram = Buffer.allocUnsafe(headerBytes + packet.payload.length);
  datagram.writeUInt8(0x80, 0);
  datagram.writeUInt8((packet.marker ? 0x80 : 0) | packet.payloadType, 1);
  datagram.writeUInt16BE(packet.sequenceNumber, 2);
  datagram.writeUInt32BE(packet.timestamp, 4);
  datagram.writeUInt32BE(packet.ssrc, 8);
  packet.payload.copy(datagram, headerBytes);
  return datagram;
}
