import { toneSamples } from "@leadline/adapter-kit/conformance/tone";
import { decodeSound, encodeSound, samplesPerPacket } from "@leadline/adapter-kit/rtp/g711";
import type { RtpPacket } from "@leadline/adapter-kit/rtp/rtp-packet";
import { expect, onTestFinished, test, vi } from "vitest";
import { createRecorder } from "./recorder.ts";

/** The packets of a tone in one stream, 20 ms each. */
const packets = (count: number, { ssrc = 1, firstTimestamp = 4_294_967_000, from = 0 } = {}): RtpPacket[] =>
  Array.from({ length: count }, (_, i) => ({
    payloadType: 0,
    marker: i === 0,
    sequenceNumber: i,
    timestamp: (firstTimestamp + i * samplesPerPacket) >>> 0,
    ssrc,
    payload: encodeSound(toneSamples(440, { from: (from + i) * samplesPerPacket, length: samplesPerPacket }), "PCMU"),
  }));
/** As a phone hears it. */
const tone = (count: number): number[] => packets(count).flatMap(({ payload }) => [...decodeSound(payload, "PCMU")]);
const silence = (count: number): number[] => Array.from({ length: count * samplesPerPacket }, () => 0);

/** In parts, then complete. */
function record(sent: readonly RtpPacket[]) {
  const parts: Int16Array[] = [];
  const recorder = createRecorder(({ left }) => parts.push(left));
  for (const packet of sent) recorder.add("left", { ...packet, samples: decodeSound(packet.payload, "PCMU") });
  const before = parts.length;
  recorder.end();
  return { parts: before, sound: parts.flatMap((part) => [...part]) };
}

// 1.2 s: what arrives at once may be two seconds ahead of the clock.
test("a stream is recorded completely, in parts, across a timestamp wrap", () => {
  const { parts, sound } = record(packets(60));
  expect(parts).toBe(2);
  expect(sound).toEqual(tone(60));
});

test("reordered packets are put back in order, and duplicates recorded once", () => {
  const sent = packets(60);
  const swapped = [...sent.slice(0, 9), ...sent.slice(10, 14), ...sent.slice(9, 10), ...sent.slice(12)];
  expect(record(swapped).sound).toEqual(tone(60));
});

test("a loss, or a pause without packets, is silence of its length", () => {
  const sent = packets(60);
  const { sound } = record([...sent.slice(0, 10), ...sent.slice(40)]);
  expect(sound).toEqual([...tone(10), ...silence(30), ...tone(60).slice(40 * samplesPerPacket)]);
});

test("a new stream, and timestamps that restart, continue where the last one stopped", () => {
  const first = packets(20);
  const next = packets(20, { ssrc: 2, firstTimestamp: 77, from: 20 });
  const anew = packets(20, { ssrc: 2, firstTimestamp: 2_000_000_000, from: 40 });
  expect(record([...first, ...next, ...anew]).sound).toEqual(tone(60));
});

test("a sender that is far ahead of the clock is not followed, whatever its timestamps", () => {
  const tooMuch = packets(500);
  const flood = tooMuch.map((packet, i) => ({ ...packet, ssrc: i }));
  for (const sent of [tooMuch, flood]) expect(record(sent).sound.length).toBeLessThan(500 * samplesPerPacket);
});

test("both sides are aligned and equally long, however late the second one starts", () => {
  // No time passes, however slow the machine is.
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const parts: { left: Int16Array; right: Int16Array }[] = [];
  const recorder = createRecorder((sides) => parts.push(sides));
  for (const which of ["left", "right"] as const) recorder.expect(which, true);
  const add = (which: "left" | "right", packet: RtpPacket) =>
    recorder.add(which, { ...packet, samples: decodeSound(packet.payload, "PCMU") });
  const [left, right] = [packets(60), packets(60, { ssrc: 9, firstTimestamp: 5 })];
  for (const packet of left) add("left", packet);
  expect(parts).toEqual([]);
  for (const packet of right.slice(0, 30)) add("right", packet);
  recorder.end();
  const whole = (side: "left" | "right") => parts.flatMap((part) => [...part[side]]);
  expect(whole("left")).toEqual(tone(60));
  expect(whole("right")).toHaveLength(whole("left").length);
  // It starts at the elapsed time, which is next to none.
  const said = (samples: number[]) => samples.slice(samples.findIndex((sample) => sample !== 0));
  expect(said(whole("right")).slice(0, 29 * samplesPerPacket)).toEqual(said(tone(30)).slice(0, 29 * samplesPerPacket));
  expect(whole("right").findIndex((sample) => sample !== 0)).toBeLessThan(2 * samplesPerPacket);
});

test("a side whose clock stood still while the other one spoke is recorded again", () => {
  const heard: number[] = [];
  const recorder = createRecorder(({ right }) => heard.push(...right));
  const add = (which: "left" | "right", packet: RtpPacket) =>
    recorder.add(which, { ...packet, samples: decodeSound(packet.payload, "PCMU") });
  const right = packets(60, { ssrc: 9 });
  add("right", right[0] as RtpPacket);
  for (const packet of packets(90)) add("left", packet);
  for (const packet of right.slice(1, 40)) add("right", packet);
  recorder.end();
  expect(heard.filter((sample) => sample !== 0).length).toBeGreaterThan(20 * samplesPerPacket);
});
