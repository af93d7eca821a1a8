import { isNowhere, type RtpDescription } from "@leadline/adapter-kit/rtp/rtp-description";
import { drawCname, middleOf, ntpTime, readRtcp, type ReportBlock, writeReport } from "@leadline/adapter-kit/rtp/rtcp";
import { openRtcpSocket, senderOf } from "@leadline/adapter-kit/rtp/rtp-socket";

import type { Address, createFarEndLatch } from "./far-end-latch.ts";
import type { createReception } from "./reception.ts";
import type { createRtpStream } from "./rtp-stream.ts";
import type { createSealing } from "./srtp-encryption.ts";

/** RFC 3550, section 6.2; half of it before the first report. Each interval varies by up to half. */
const everyMs = 5_000;
const firstMs = everyMs / 2;
const varied = (ms: number): number => ms * (0.5 + Math.random());

type RtpSocket = NonNullable<Awaited<ReturnType<typeof openRtcpSocket>>>;

interface RtcpSessionOptions {
  /** The leg's RTP socket. */
  socket: RtpSocket;
  latch: ReturnType<typeof createFarEndLatch>;
  stream: ReturnType<typeof createRtpStream>;
  reception: ReturnType<typeof createReception>;
  sealing: ReturnType<typeof createSealing>;
}

/**
 * A leg's RTCP reports to its far end (RFC 3550, section 6), from the port after the leg's own if that is free. They go
 * only to the host that its audio goes to, and only that host's reports are read.
 */
export function createRtcpSession({ socket, latch, stream, reception, sealing }: RtcpSessionOptions) {
  const cname = drawCname();
  let rtcpSocket: RtpSocket | null = null;
  let signalled: RtpDescription | null = null;
  let heardFrom: Address | null = null;
  let heard: { ssrc: number; middle: number; atMs: number } | null = null;
  let dueAtMs = Infinity;
  /** Packets sent as of the last report, and as of the one before. */
  let packetsSent = { atLast: 0, before: 0 };
  let hasReported = false;
  let isClosed = false;

  async function openOwnSocket(): Promise<void> {
    const opened = await openRtcpSocket(socket);
    if (isClosed) return void opened?.close();
    rtcpSocket = opened;
    rtcpSocket?.on("message", receive);
  }
  void openOwnSocket();

  /**
   * The address that it named, unless its audio arrives from elsewhere: ports behind a NAT are known once a packet
   * arrives from them.
   */
  function destination(): Address | null {
    const rtp = latch.address();
    if (!rtp || !signalled) return null;
    if (signalled.rtcpMux) return rtp;
    const { host, port, rtcpPort = port + 1 } = signalled;
    if (rtp.host === host && rtp.port === port) return { host, port: rtcpPort };
    return heardFrom?.host === rtp.host ? heardFrom : null;
  }

  function receive(datagram: Buffer, from: { address: string; port: number }): void {
    const host = senderOf(from);
    if (latch.address()?.host !== host) return;
    const plain = sealing.openReport(datagram);
    const theirs = plain && readRtcp(plain)?.report;
    if (!theirs || theirs.ssrc !== reception.source()) return;
    heardFrom = { host, port: from.port };
    if (theirs.sender) heard = { ssrc: theirs.ssrc, middle: middleOf(theirs.sender.ntp), atMs: performance.now() };
  }

  function blocks(): ReportBlock[] {
    const block = reception.report();
    if (!block) return [];
    const since = heard?.ssrc === block.ssrc ? heard : null;
    const sinceMs = since ? performance.now() - since.atMs : 0;
    return [{ ...block, lastReport: since?.middle ?? 0, sinceLastReport: Math.round((sinceMs * 65_536) / 1000) }];
  }

  function report({ isLast }: { isLast: boolean }, done?: () => void): void {
    const to = destination();
    if (!to) return done?.();
    const { ssrc, ...counts } = stream.sent();
    const isSender = counts.packets > packetsSent.before;
    packetsSent = { atLast: counts.packets, before: packetsSent.atLast };
    hasReported = true;
    const ntp = ntpTime(performance.timeOrigin + performance.now());
    const written = writeReport(
      { ssrc, sender: isSender ? { ntp, ...counts } : null, blocks: blocks() },
      { cname, isLast },
    );
    const from = signalled?.rtcpMux ? socket : (rtcpSocket ?? socket);
    from.send(sealing.encryptReport(written), to.port, to.host, done);
  }

  return {
    /** Applies a description of the far end; one that names no address is sent no reports. */
    signal(description: RtpDescription): void {
      signalled = isNowhere(description.host) ? null : description;
      if (dueAtMs === Infinity) dueAtMs = performance.now() + varied(firstMs);
    },
    /** Handles a report that arrived at the leg's own port. */
    hear: receive,
    tick(): void {
      if (performance.now() < dueAtMs) return;
      dueAtMs = performance.now() + varied(everyMs);
      report({ isLast: false });
    },
    /** Sends BYE and closes both ports. */
    close(): void {
      isClosed = true;
      const closeBoth = (): void => {
        socket.close();
        rtcpSocket?.close();
      };
      // A participant that has sent nothing sends no report (section 6.3.7).
      if (hasReported || stream.packetsSent() > 0) report({ isLast: true }, closeBoth);
      else closeBoth();
    },
  };
}
