import { expect, test } from "vitest";
import { readingOf } from "./open-audio-peer.ts";

test("a stats report is read as packets, jitter, round trip and the microphone's energy", () => {
  const report = [
    { type: "inbound-rtp", packetsReceived: 500, packetsLost: 4, jitter: 0.012 },
    { type: "candidate-pair", nominated: false, currentRoundTripTime: 9 },
    { type: "candidate-pair", nominated: true, currentRoundTripTime: 0.034 },
    { type: "media-source", kind: "audio", totalAudioEnergy: 0.5, totalSamplesDuration: 12 },
  ];
  expect(readingOf(report)).toMatchObject({
    packetsReceived: 500,
    packetsLost: 4,
    jitterMs: 12,
    roundTripMs: 34,
    microphone: { energy: 0.5, seconds: 12 },
  });
});
test("missing microphone stats or a negative loss count aren't invented", () => {
  expect(readingOf([{ type: "inbound-rtp", packetsReceived: 1, packetsLost: -2 }])).toMatchObject({
    packetsLost: 0,
    microphone: null,
    roundTripMs: null,
  });
});
