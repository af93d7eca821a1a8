import { describe, expect, it } from "vitest";

import { createPacketIndices } from "./packet-indices.ts";

const ssrc = 7;

/** What became of packets with these sequence numbers, in order: their index, or null for a replay. */
function take(sequenceNumbers: number[]): (number | null)[] {
  const indices = createPacketIndices();
  return sequenceNumbers.map((sequenceNumber) => {
    const index = indices.guesses(ssrc, sequenceNumber)[0];
    if (!indices.isNew(ssrc, index)) return null;
    indices.note(ssrc, index);
    return index;
  });
}

describe("the index of a packet", () => {
  it("continues when the sequence number wraps, even if many packets are lost there", () => {
    expect(take([65_534, 65_535, 0, 1])).toEqual([65_534, 65_535, 65_536, 65_537]);
    expect(take([65_000, 500])).toEqual([65_000, 66_036]);
  });

  it("is that of the previous cycle for a late packet", () => {
    expect(take([65_534, 0, 65_535, 1])).toEqual([65_534, 65_536, 65_535, 65_537]);
  });

  it("is never accepted twice, nor from outside the replay window", () => {
    expect(take([10, 11, 10, 12, 11])).toEqual([10, 11, null, 12, null]);
    expect(take([10, 400, 11])).toEqual([10, 400, null]);
    expect(take([10, 137, 10])).toEqual([10, 137, null]);
    expect(take([10, 138, 10])).toEqual([10, 138, null]);
    expect(take([65_535, 0, 65_535, 0])).toEqual([65_535, 65_536, null, null]);
  });

  it("is counted for each stream separately", () => {
    const indices = createPacketIndices();
    indices.note(1, 65_535);
    expect(indices.guesses(1, 0)).toEqual([65_536]);
    expect(indices.guesses(2, 0)).toEqual([0]);
  });

  it("continues across a change of keys, or restarts with it", () => {
    const counts = new Map();
    createPacketIndices(counts).note(ssrc, 65_536 + 9);
    const renewed = createPacketIndices(counts);
    expect(renewed.guesses(ssrc, 10)).toEqual([65_536 + 10, 10]);
    expect(renewed.guesses(8, 10)).toEqual([10]);
    renewed.note(ssrc, 10);
    expect(renewed.guesses(ssrc, 11)).toEqual([11]);
  });
});
