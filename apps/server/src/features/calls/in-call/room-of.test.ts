import { flagsOff } from "@leadline/contract/call-flags";
import { describe, expect, test } from "vitest";
import { type CallAudio, roomOf } from "./room-of.ts";

/** Who hears whom: the rep (R), the far ends A and B, or the hold music. */
function heardIn(calls: readonly CallAudio[], browserLegId: string | null = "R"): Record<string, string> {
  const { participants } = roomOf(calls, browserLegId);
  const named = participants.map(({ legId, hears }) => {
    const sources = hears.map((source) => (typeof source === "string" ? source : "music"));
    return [legId, sources.toSorted().join(" ")] as const;
  });
  return Object.fromEntries(named);
}

const alone = { ...flagsOff, onHold: false, joinedWith: null };
const a: CallAudio = { ...alone, legId: "A" };
const b: CallAudio = { ...alone, legId: "B" };
const [joinedA, joinedB] = [
  { ...a, joinedWith: "B" },
  { ...b, joinedWith: "A" },
];

describe("one call", () => {
  test.each([
    ["both hear each other", {}, { R: "A", A: "R" }],
    ["who is muted is not heard", { muted: true }, { R: "A", A: "" }],
    ["who is on hold hears the music", { onHold: true }, { R: "", A: "music" }],
    ["who is on hold hears the music of somebody muted too", { onHold: true, muted: true }, { R: "", A: "music" }],
    ["nobody can be silenced", { silenced: true }, { R: "A", A: "R" }],
  ] as const)("%s", (_, change, heard) => expect(heardIn([{ ...a, ...change }])).toEqual(heard));

  test("without a browser connection, the far end hears nothing", () => {
    expect(heardIn([a], null)).toEqual({ A: "" });
    expect(heardIn([{ ...a, onHold: true }], null)).toEqual({ A: "music" });
  });
});

describe("two calls", () => {
  test.each([
    ["the one waits while the other talks", { onHold: true }, {}, { R: "B", A: "music", B: "R" }],
    ["they are swapped", {}, { onHold: true }, { R: "A", A: "R", B: "music" }],
    ["both wait", { onHold: true }, { onHold: true }, { R: "", A: "music", B: "music" }],
    ["a mute holds for whoever talks", { onHold: true, muted: true }, { muted: true }, { R: "B", A: "music", B: "" }],
    ["one at most is talked with", {}, {}, { R: "A", A: "R", B: "" }],
  ] as const)("%s", (_, first, second, heard) =>
    expect(
      heardIn([
        { ...a, ...first },
        { ...b, ...second },
      ]),
    ).toEqual(heard),
  );
});

describe("a conference", () => {
  test.each([
    ["all hear each other", {}, {}, { R: "A B", A: "B R", B: "A R" }],
    ["who is muted is heard by nobody", { muted: true }, { muted: true }, { R: "A B", A: "B", B: "A" }],
    ["who is silenced hears and is not heard", { silenced: true }, {}, { R: "B", A: "B R", B: "R" }],
    ["who waits hears the music", { onHold: true }, {}, { R: "B", A: "music", B: "R" }],
    ["both wait", { onHold: true }, { onHold: true }, { R: "", A: "music", B: "music" }],
  ] as const)("%s", (_, first, second, heard) =>
    expect(
      heardIn([
        { ...joinedA, ...first },
        { ...joinedB, ...second },
      ]),
    ).toEqual(heard),
  );

  test("after a transfer the two far ends hear each other", () => {
    expect(heardIn([joinedA, joinedB], null)).toEqual({ A: "B", B: "A" });
  });

  test("after one far end has gone, the rep talks with the other", () => {
    expect(heardIn([{ ...joinedA, joinedWith: null }])).toEqual({ R: "A", A: "R" });
  });
});

/** Every combination of states of these calls, with any two of them joined or none. */
function* statesOf(count: number): Generator<{ calls: CallAudio[]; browserLegId: string | null }> {
  const names = ["A", "B", "C"].slice(0, count);
  const pairs = [[], ...names.flatMap((one, i) => names.slice(i + 1).map((other) => [one, other]))];
  for (const pair of pairs)
    for (const browserLegId of ["R", null])
      for (let bits = 0; bits < 8 ** count; bits++) {
        const calls = names.map((legId, i): CallAudio => {
          const [onHold, muted, silenced] = [0, 1, 2].map((bit) => ((bits >> (3 * i + bit)) & 1) === 1);
          const joinedWith = pair.includes(legId) ? (pair.find((each) => each !== legId) ?? null) : null;
          return {
            ...alone,
            legId,
            onHold: onHold === true,
            muted: muted === true,
            silenced: silenced === true,
            joinedWith,
          };
        });
        yield { calls, browserLegId };
      }
}

test.each([1, 2, 3])("in every state of %i calls, nobody hears anyone they shouldn't", (count) => {
  const wrong: unknown[] = [];
  let states = 0;
  for (const { calls, browserLegId } of statesOf(count)) {
    states++;
    const heard = heardIn(calls, browserLegId);
    const of = (legId: string): string[] => (heard[legId] ?? "").split(" ").filter(Boolean);
    const isJoined = ({ joinedWith }: CallAudio): boolean => joinedWith !== null;
    const offHold = calls.filter(({ onHold }) => !onHold);
    /** Those the rep talks with: the first call that isn't on hold, and the call joined with it. */
    const inRoom = offHold.filter((call) => call === offHold[0] || call.joinedWith === offHold[0]?.legId);
    const speaks = (call: CallAudio): boolean => inRoom.includes(call) && !(call.silenced && isJoined(call));
    for (const call of calls) {
      const others = inRoom.filter((other) => other !== call && speaks(other)).map(({ legId }) => legId);
      const rep = browserLegId !== null && !call.muted ? [browserLegId] : [];
      const expected = call.onHold ? ["music"] : inRoom.includes(call) ? [...others, ...rep] : [];
      if (String(of(call.legId)) !== String(expected.toSorted())) wrong.push({ call, calls, heard });
    }
    const expected = inRoom.filter(speaks).map(({ legId }) => legId);
    if (browserLegId !== null && String(of(browserLegId)) !== String(expected)) wrong.push({ calls, heard });
  }
  expect(wrong).toEqual([]);
  expect(states).toBe({ 1: 16, 2: 256, 3: 4_096 }[count]);
});
