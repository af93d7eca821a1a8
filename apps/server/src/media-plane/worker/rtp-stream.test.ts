import type { RtpPacket } from "@leadline/adapter-kit/rtp/rtp-packet";
import { expect, it, onTestFinished, vi } from "vitest";

import { createRtpStream } from "./rtp-stream.ts";

const packet = (at: number): RtpPacket => ({
  payloadType: 0,
  marker: false,
  sequenceNumber: at & 0xffff,
  timestamp: (at * 160) >>> 0,
  ssrc: 7,
  payload: Buffer.alloc(160),
});
const asItIs = { payloadType: 0, payload: Buffer.alloc(160), isKey: false, clocks: { from: 8_000, to: 8_000 } };

it("passes on every packet of a one-hour call, across sequence number wraps", () => {
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

it("keeps a reordered packet's place, and drops one from before it joined the stream", () => {
  const stream = createRtpStream();
  const [first, third, second] = [10, 12, 11].map((at) => stream.pass(packet(at), asItIs)?.sequenceNumber ?? NaN);
  expect([second, third].map((number) => (number ?? NaN) - (first ?? NaN))).toEqual([1, 2]);
  expect(stream.pass(packet(9), asItIs)).toBeNull();
});

it("keeps the timestamp of a key whose packets came late, with silence sent meanwhile, and none of another key", () => {
  const stream = createRtpStream();
  const key = (at: number, startedAt: number) =>
    stream.pass({ ...packet(at), timestamp: startedAt }, { ...asItIs, payloadType: 101, isKey: true });
  const first = key(1, 160);
  const silence = { payload: Buffer.alloc(160), clockRate: 8_000 };
  for (let i = 0; i < 5; i++) stream.own(0, silence);
  const late = key(2, 160);
  expect(late?.timestamp).toBe(first?.timestamp);
  expect(late?.sequenceNumber).toBe(((first?.sequenceNumber ?? 0) + 6) & 0xffff);
  expect(key(3, 1_600)?.timestamp).not.toBe(first?.timestamp);
});

it("continues at the new clock rate when the codec changes, in sequence, past the wrap of either clock", () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  onTestFinished(() => void vi.useRealTimers());
  const stream = createRtpStream();
  const at = (sequenceNumber: number, timestamp: number, from: number) =>
    stream.pass({ ...packet(sequenceNumber), timestamp: timestamp >>> 0 }, { ...asItIs, clocks: { from, to: 48_000 } });
  const nearTheEnd = 2 ** 32 - 100;
  const passed = [
    at(1, nearTheEnd, 8_000),
    at(2, nearTheEnd + 160, 8_000),
    at(3, 5_000, 48_000),
    at(4, 5_960, 48_000),
    at(5, nearTheEnd, 8_000),
    at(6, nearTheEnd + 160, 8_000),
  ];
  const steps = passed.slice(1).map((each, i) => ((each?.timestamp ?? 0) - (passed[i]?.timestamp ?? 0)) >>> 0);
  expect(steps).toEqual([960, 960, 960, 960, 960]);
  const [first] = passed;
  expect(passed.map((each) => ((each?.sequenceNumber ?? 0) - (first?.sequenceNumber ?? 0)) & 0xffff)).toEqual([
    0, 1, 2, 3, 4, 5,
  ]);
  expect(passed.map((each) => each?.marker)).toEqual([true, false, false, false, false, false]);
});

it.each([
  { jump: "back by 3,000", to: 7_000 },
  { jump: "back by 101", to: 9_899 },
  { jump: "ahead by 3,000", to: 13_000 },
])("continues without a gap from the second packet after the sequence jumps $jump", ({ to }) => {
  const stream = createRtpStream();
  for (let at = 9_990; at < 10_000; at++) stream.pass(packet(at), asItIs);
  const last = stream.pass(packet(10_000), asItIs)?.sequenceNumber ?? NaN;
  expect(stream.pass(packet(to), asItIs)).toBeNull();
  const after = [1, 2, 3].map((i) => stream.pass(packet(to + i), asItIs));
  expect(after.map((each) => ((each?.sequenceNumber ?? NaN) - last) & 0xffff)).toEqual([1, 2, 3]);
  expect(after.map((each) => each?.marker)).toEqual([true, false, false]);
});

it("doesn't take a stray packet for a restart, and passes one that is up to 100 late", () => {
  const stream = createRtpStream();
  const first = stream.pass(packet(1), asItIs)?.sequenceNumber ?? NaN;
  for (let at = 2; at < 200; at++) if (at !== 100) stream.pass(packet(at), asItIs);
  expect(stream.pass(packet(20_000), asItIs)).toBeNull();
  const [late, next] = [100, 200].map((at) => stream.pass(packet(at), asItIs)?.sequenceNumber ?? NaN);
  expect([late, next].map((number) => ((number ?? NaN) - first) & 0xffff)).toEqual([99, 199]);
});

it("continues immediately with the packets of another SSRC", () => {
  const stream = createRtpStream();
  const last = stream.pass(packet(5_000), asItIs)?.sequenceNumber ?? NaN;
  const other = [100, 101].map((at) => stream.pass({ ...packet(at), ssrc: 8 }, asItIs)?.sequenceNumber ?? NaN);
  expect(other.map((number) => (number - last) & 0xffff)).toEqual([1, 2]);
});

it("counts left-out packets as part of the stream", () => {
  const stream = createRtpStream();
  const first = stream.pass(packet(1), asItIs)?.sequenceNumber ?? NaN;
  for (let at = 2; at < 5_000; at++) stream.leaveOut(packet(at));
  const next = stream.pass(packet(5_000), asItIs)?.sequenceNumber ?? NaN;
  expect((next - first) & 0xffff).toBe(1);
});
