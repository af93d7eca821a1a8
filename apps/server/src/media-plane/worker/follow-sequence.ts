import type { RtpPacket } from "@leadline/adapter-kit/rtp/rtp-packet";

/** RFC 3550, appendix A.1. */
const maxDropout = 3_000;
export const maxMisorder = 100;

/** The step from one sequence number to another, in the shorter direction. */
export const sequenceStep = (from: number, to: number): number => ((to - from) << 16) >> 16;

/**
 * A packet's place in its stream: `begun` starts it, or restarts it with another SSRC or as the second consecutive
 * packet after a jump; `stray` is far from the rest, and is ignored unless another packet follows it.
 */
export type Arrival = "begun" | "next" | "late" | "stray";

/** Follows a sender's sequence numbers (RFC 3550, appendix A.1), so that a sender that restarts is heard again. */
export function followSequence(): (packet: Pick<RtpPacket, "ssrc" | "sequenceNumber">) => Arrival {
  let ssrc: number | null = null;
  let highest = 0;
  let afterStray: number | null = null;

  return (packet) => {
    const { sequenceNumber } = packet;
    const step = sequenceStep(highest, sequenceNumber);
    if (packet.ssrc !== ssrc || sequenceNumber === afterStray) {
      ssrc = packet.ssrc;
      highest = sequenceNumber;
      afterStray = null;
      return "begun";
    }
    if (step >= maxDropout || step < -maxMisorder) {
      afterStray = (sequenceNumber + 1) & 0xffff;
      return "stray";
    }
    if (step <= 0) return "late";
    highest = sequenceNumber;
    afterStray = null;
    return "next";
  };
}
