import { afterEach, beforeEach, expect, it, vi } from "vitest";

import { createReception } from "./reception.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["performance", "setTimeout"] }));
afterEach(() => void vi.useRealTimers());

const opus = { codec: "opus", clockRate: 48_000 } as const;
const pcmu = { codec: "PCMU", clockRate: 8_000 } as const;
const key = { codec: null, clockRate: 48_000 } as const;

it("measures jitter at the clock rate of the stream, whatever other clock rate follows in it, and none for telephone events", () => {
  const reception = createReception();
  let sequenceNumber = 0;
  const hear = (format: typeof opus | typeof pcmu | typeof key, timestamp: number, bytes: number): void => {
    const payload = Buffer.alloc(bytes);
    reception.note(
      { payloadType: 0, marker: false, ssrc: 1, sequenceNumber: sequenceNumber++, timestamp, payload },
      format,
    );
    vi.advanceTimersByTime(20);
  };
  for (let i = 0; i < 20; i++) hear(pcmu, 7_000 + i * 160, 160);
  // A silent Opus packet is as short as a telephone event.
  for (let i = 0; i < 20; i++) hear(opus, 90_000 + i * 960, 3);
  for (let i = 0; i < 9; i++) hear(key, 90_000 + 20 * 960, 4);
  for (let i = 0; i < 20; i++) hear(opus, 90_000 + (29 + i) * 960, 3);
  expect(reception.stats(0)).toMatchObject({ packetsReceived: 69, packetsLost: 0 });
  expect(reception.stats(0).jitterMs).toBeCloseTo(0, 6);
  vi.advanceTimersByTime(16);
  hear(opus, 90_000 + 49 * 960, 3);
  expect(reception.stats(0).jitterMs).toBeCloseTo(1, 6);
});

it("counts no loss when the sender's sequence jumps", () => {
  const reception = createReception();
  const hear = (sequenceNumber: number) =>
    reception.note(
      { payloadType: 0, marker: false, ssrc: 1, sequenceNumber, timestamp: 0, payload: Buffer.alloc(160) },
      pcmu,
    );
  for (const sequenceNumber of [10_000, 10_002, 7_000, 7_001, 7_003, 40_000, 40_001, 40_002]) hear(sequenceNumber);
  expect(reception.stats(0)).toMatchObject({ packetsReceived: 8, packetsLost: 2 });
});
