import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { codecHeard, matchReceivedCodec } from "./match-received-codec.ts";

const reportOf = (codecId: string) => [
  { type: "codec", id: "C1", mimeType: "audio/PCMU" },
  { type: "inbound-rtp", id: "I1", codecId },
  { type: "codec", id: "C2", mimeType: "audio/opus" },
];
const codecs = [{ mimeType: "audio/PCMU" }, { mimeType: "audio/opus" }];

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A browser transceiver with simulated received audio. */
function openLine() {
  const heard = { codecId: "C1", sources: [{}] };
  const chosen: unknown[] = [];
  const transceiver = {
    receiver: { getSynchronizationSources: () => heard.sources, getStats: async () => reportOf(heard.codecId) },
    sender: {
      getParameters: () => ({ codecs, encodings: [{ active: true }] }),
      setParameters: async ({ encodings }: { encodings: unknown[] }) => void chosen.push(...encodings),
    },
  };
  return { heard, chosen, transceiver: transceiver as unknown as RTCRtpTransceiver };
}

test("the received codec is read from the statistics", () => {
  expect(codecHeard(reportOf("C2"))).toBe("audio/opus");
  expect(codecHeard(reportOf("C9"))).toBeNull();
  expect(codecHeard([])).toBeNull();
});

test("the received codec is used for sending, once per change, and nothing is chosen before anything is received", async () => {
  const { heard, chosen, transceiver } = openLine();
  heard.sources = [];
  const stop = matchReceivedCodec(transceiver);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(chosen).toEqual([]);
  heard.sources = [{}];
  heard.codecId = "C2";
  await vi.advanceTimersByTimeAsync(2_000);
  expect(chosen).toEqual([{ active: true, codec: codecs[1] }]);
  heard.codecId = "C1";
  await vi.advanceTimersByTimeAsync(2_000);
  expect(chosen.at(-1)).toEqual({ active: true, codec: codecs[0] });
  expect(chosen).toHaveLength(2);
  stop();
  heard.codecId = "C2";
  await vi.advanceTimersByTimeAsync(2_000);
  expect(chosen).toHaveLength(2);
});
