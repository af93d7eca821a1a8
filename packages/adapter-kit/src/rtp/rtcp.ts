import { randomBytes } from "node:crypto";

/** One side's report on the stream that it receives (RFC 3550, section 6.4.1). */
export interface ReportBlock {
  ssrc: number;
  /** Since the last report, in 1/256. */
  fractionLost: number;
  lost: number;
  highestSequence: number;
  /** In units of the stream's clock. */
  jitter: number;
  /**
   * The middle bits of the last sender report's NTP time, and the delay since it arrived, in 1/65,536 s; 0 if there was
   * none.
   */
  lastReport: number;
  sinceLastReport: number;
}

/** A sender's report on its own stream. */
export interface SenderInfo {
  /** The same moment as the RTP timestamp. */
  ntp: NtpTime;
  timestamp: number;
  packets: number;
  octets: number;
}

interface NtpTime {
  seconds: number;
  fraction: number;
}

export interface Report {
  ssrc: number;
  /** Null if it has sent nothing lately. */
  sender: SenderInfo | null;
  blocks: ReportBlock[];
}

const types = { sender: 200, receiver: 201, description: 202, goodbye: 203 };
const cnameItem = 1;
const headerBytes = 4;
const blockBytes = 24;
const senderBytes = 20;
const secondsBefore1970 = 2_208_988_800;

/** The packet types of RFC 5761, section 4: on a port shared with RTP, none of these is an RTP packet. */
export const isRtcp = (datagram: Buffer): boolean =>
  datagram[0] !== undefined &&
  datagram[0] >> 6 === 2 &&
  datagram[1] !== undefined &&
  datagram[1] >= 192 &&
  datagram[1] <= 223;

export function ntpTime(unixMs: number): NtpTime {
  const seconds = Math.floor(unixMs / 1000);
  return { seconds: (seconds + secondsBefore1970) >>> 0, fraction: Math.floor(((unixMs / 1000) % 1) * 2 ** 32) >>> 0 };
}

/** As in a report block. */
export const middleOf = ({ seconds, fraction }: NtpTime): number =>
  (((seconds & 0xffff) << 16) | (fraction >>> 16)) >>> 0;

/** Reveals nothing about the sender (RFC 7022, section 4.2). */
export const drawCname = (): string => randomBytes(12).toString("base64");

/** A report with its sender's name, as in every compound packet; `isLast` adds a BYE. */
export function writeReport({ ssrc, sender, blocks }: Report, options: { cname: string; isLast?: boolean }): Buffer {
  const body = [uint32(ssrc), ...(sender ? [writeSender(sender)] : []), ...blocks.map(writeBlock)];
  const name = Buffer.from(options.cname);
  const item = Buffer.concat([Buffer.from([cnameItem, name.length]), name]);
  // At least one zero ends the items, and the next packet starts on a word boundary.
  const items = Buffer.concat([uint32(ssrc), item, Buffer.alloc(4 - (item.length % 4))]);
  return Buffer.concat([
    packet(sender ? types.sender : types.receiver, blocks.length, Buffer.concat(body)),
    packet(types.description, 1, items),
    ...(options.isLast ? [packet(types.goodbye, 1, uint32(ssrc))] : []),
  ]);
}

function packet(type: number, count: number, body: Buffer): Buffer {
  const header = Buffer.alloc(headerBytes);
  header.writeUInt8(0x80 | count, 0);
  header.writeUInt8(type, 1);
  header.writeUInt16BE(body.length / 4, 2);
  return Buffer.concat([header, body]);
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

const writeSender = ({ ntp, timestamp, packets, octets }: SenderInfo): Buffer =>
  Buffer.concat([ntp.seconds, ntp.fraction, timestamp, packets, octets].map((value) => uint32(value >>> 0)));

function writeBlock(block: ReportBlock): Buffer {
  const { ssrc, fractionLost, lost, highestSequence, jitter, lastReport, sinceLastReport } = block;
  const losses = ((fractionLost << 24) | (Math.min(lost, 0x7fffff) & 0xffffff)) >>> 0;
  return Buffer.concat(
    [ssrc, losses, highestSequence, jitter, lastReport, sinceLastReport].map((value) => uint32(value >>> 0)),
  );
}

/**
 * The report at the start of a compound packet, and the sources with a BYE; null if it isn't RTCP (RFC 3550, appendix
 * A.2).
 */
export function readRtcp(datagram: Buffer): { report: Report; names: Map<number, string>; gone: number[] } | null {
  const packets = split(datagram);
  const first = packets?.[0];
  const report = first ? readReport(first) : null;
  if (!packets || !report) return null;
  const gone = packets.flatMap(({ type, count, body }) =>
    type === types.goodbye && body.length >= count * 4
      ? Array.from({ length: count }, (_, i) => body.readUInt32BE(i * 4))
      : [],
  );
  return { report, names: new Map(packets.flatMap(readName)), gone };
}

interface ControlPacket {
  type: number;
  count: number;
  body: Buffer;
}

function split(datagram: Buffer): ControlPacket[] | null {
  const packets: ControlPacket[] = [];
  for (let at = 0; at < datagram.length;) {
    if (datagram.length - at < headerBytes) return null;
    const first = datagram.readUInt8(at);
    const end = at + headerBytes + datagram.readUInt16BE(at + 2) * 4;
    if (first >> 6 !== 2 || end > datagram.length) return null;
    packets.push({
      type: datagram.readUInt8(at + 1),
      count: first & 0x1f,
      body: datagram.subarray(at + headerBytes, end),
    });
    at = end;
  }
  return packets;
}

function readReport({ type, count, body }: ControlPacket): Report | null {
  const isSender = type === types.sender;
  const blocksAt = 4 + (isSender ? senderBytes : 0);
  if ((!isSender && type !== types.receiver) || body.length < blocksAt + count * blockBytes) return null;
  const word = (at: number): number => body.readUInt32BE(at);
  return {
    ssrc: word(0),
    sender: isSender
      ? { ntp: { seconds: word(4), fraction: word(8) }, timestamp: word(12), packets: word(16), octets: word(20) }
      : null,
    blocks: Array.from({ length: count }, (_, i) => {
      const at = blocksAt + i * blockBytes;
      return {
        ssrc: word(at),
        fractionLost: body.readUInt8(at + 4),
        lost: body.readIntBE(at + 5, 3),
        highestSequence: word(at + 8),
        jitter: word(at + 12),
        lastReport: word(at + 16),
        sinceLastReport: word(at + 20),
      };
    }),
  };
}

/** The first source of an SDES packet, if its first item is its CNAME. */
function readName({ type, body }: ControlPacket): [number, string][] {
  if (type !== types.description || body.length < 6 || body[4] !== cnameItem) return [];
  return [[body.readUInt32BE(0), body.toString("utf8", 6, 6 + body.readUInt8(5))]];
}
