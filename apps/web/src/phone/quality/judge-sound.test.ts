import { expect, test } from "vitest";
import type { AudioReading } from "../drivers/call-driver.ts";
import { judgeSound } from "./judge-sound.ts";

/** One reading every two seconds; `energy` per second, as the microphone delivered it. */
const readings = (count: number, change: { packets?: number; lost?: number; energy?: number } = {}): AudioReading[] =>
  Array.from({ length: count }, (_, i) => ({
    atMs: i * 2000,
    packetsReceived: i * (change.packets ?? 100),
    packetsLost: i * (change.lost ?? 0),
    jitterMs: 2,
    roundTripMs: 20,
    microphone: { energy: i * 2 * (change.energy ?? 0.01), seconds: i * 2 },
  }));

test("one reading says nothing yet", () => {
  expect(judgeSound(readings(1), { listening: true }).quality).toBeNull();
});
test("steady packets are excellent, and lost ones count", () => {
  expect(judgeSound(readings(3), { listening: true }).quality).toBe("excellent");
  expect(judgeSound(readings(3, { packets: 96, lost: 4 }), { listening: true }).quality).toBe("fair");
});
test("a microphone without input for five seconds is reported as silent, and not before", () => {
  expect(judgeSound(readings(3, { energy: 0 }), { listening: true }).microphoneSilent).toBe(false);
  expect(judgeSound(readings(4, { energy: 0 }), { listening: true }).microphoneSilent).toBe(true);
  expect(judgeSound(readings(4, { energy: 1e-6 }), { listening: true }).microphoneSilent).toBe(false);
});
test("a muted microphone isn't reported as silent", () => {
  expect(judgeSound(readings(9, { energy: 0 }), { listening: false }).microphoneSilent).toBe(false);
});
test("no packets for five seconds means that the far end isn't heard", () => {
  expect(judgeSound(readings(4, { packets: 0 }), { listening: true })).toMatchObject({
    farEndSilent: true,
    quality: "poor",
  });
  expect(judgeSound(readings(4), { listening: true }).farEndSilent).toBe(false);
});
test("a new connection starts the assessment over", () => {
  const mixed = [...readings(5), ...readings(1)];
  expect(judgeSound(mixed, { listening: true })).toMatchObject({ quality: null, farEndSilent: false });
});
