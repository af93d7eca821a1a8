import type { RtpPacket } from "@leadline/adapter-kit/rtp/rtp-packet";
import { expect, it } from "vitest";

import { createRtpStream } from "./rtp-stream.ts";

const packet = (at: number): RtpPacket => ({
  payloadType: 0,
  marker: false,
  sequenceNumber: at & 0xffff,
  timestamp: (at * 160) >>> 0,
  ssrc: 7,
  payload: Buffer.alloc(160),
});
const asItIs = { payloadType: 0, payload: Buffer.alloc(160) };

it("passes on every packet of a call of an hour, whose sequence numbers come round", () => {
  const stream = createRtpStream();
  const from = 65_000;
  const passed = Array.from({ length: 180_000 }, (_, i) => stream.pass(packet(from + i), asItIs));
  const [first] = passed;
  const lost = passed.filter(
    (each, i) =>
      each?.sequenceNumber !== (((first?.sequenceNumber ?? 0) + i) & 0xffff) ||
      each.timestamp !== ((first?.timestamp ?? 0) + i * 160) >>> 0,
  );
  expect(lost).toHaveLength(0);
});

it("lets a packet that was overtaken take its place, and drops one from before it joined the stream", () => {
  const stream = createRtpStream();
  const [first, third, second] = [10, 12, 11].map((at) => stream.pass(packet(at), asItIs)?.sequenceNumber ?? NaN);
  expect([second, third].map((number) => (number ?? NaN) - (first ?? NaN))).toEqual([1, 2]);
  expect(stream.pass(packet(9), asItIs)).toBeNull();
});
