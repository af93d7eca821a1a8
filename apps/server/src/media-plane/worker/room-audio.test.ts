import { decodeSound, encodeSound, samplesPerPacket } from "@leadline/adapter-kit/rtp/g711";
import type { RtpPacket } from "@leadline/adapter-kit/rtp/rtp-packet";
import { flagsOff } from "@leadline/contract/call-flags";
import { array, assert, boolean, constantFrom, option, property, record } from "fast-check";
import { expect, test } from "vitest";

import { type CallAudio, roomOf } from "../../features/calls/in-call/room-of.ts";
import { holdMusic, type PromptEnd, type Room } from "../room.ts";
import type { BrowserLeg } from "./browser-leg.ts";
import type { CarrierLeg } from "./carrier-leg.ts";
import type { Leg } from "./leg.ts";
import { createListeners } from "./listeners.ts";
import { createRoomAudio } from "./room-audio.ts";
import { createRtpStream } from "./rtp-stream.ts";
import { createSoundDecoder, createSoundEncoder } from "./audio-codecs.ts";

/** Each leg sends one constant level, so the sum identifies who is in a mix. */
const levels = { R: 500, S: 500, A: 1_000, B: 2_000, C: 4_000, music: 8_000 };
const muLaw = (level: number): Buffer => encodeSound(new Int16Array(samplesPerPacket).fill(level), "PCMU");
const levelOf = (samples: Int16Array): number => samples.at(-1) ?? 0;
const format = { codec: "PCMU", clockRate: 8_000 } as const;

/** The legs of a thread without a network: what a leg sends is heard immediately. */
function openThread() {
  const legs = new Map<string, Leg>();
  const heard = new Map<string, number>();
  const speakers: { legId: string; say: (packet: RtpPacket) => void }[] = [];
  const pulls: (() => void)[] = [];
  const ends: PromptEnd[] = [];
  const tapped: { left: number; right: number }[] = [];
  let ticks = 0;
  const audio = createRoomAudio({
    legOf(legId) {
      const leg = legs.get(legId);
      if (!leg) throw new Error(`${legId} is closed.`);
      return leg;
    },
    music: [muLaw(levels.music)],
    onPromptEnd: (end) => void ends.push(end),
    onTapped: ({ left, right }) => void tapped.push({ left: Math.max(...left), right: Math.max(...right) }),
  });

  function open(
    legId: string,
  ): ReturnType<typeof createListeners> & { decoder: ReturnType<typeof createSoundDecoder> } {
    const decoder = createSoundDecoder();
    const listeners = createListeners(decoder);
    speakers.push({ legId, say: (packet) => listeners.emit(packet, format) });
    return { ...listeners, decoder };
  }

  function openBrowser(legId: "R" | "S"): void {
    const { onPacket, listen, decoder } = open(legId);
    const send = (packet: RtpPacket | null): void => {
      if (packet) heard.set(legId, levelOf(decodeSound(packet.payload, "PCMU")));
    };
    const takes = (codec: string): boolean => codec === "PCMU";
    const stream = createRtpStream();
    const leg = {
      side: "browser",
      onPacket,
      listen,
      decoder,
      stream,
      send,
      takes,
      codec: "PCMU",
      types: {},
    } as unknown;
    legs.set(legId, leg as BrowserLeg);
  }

  function openCarrier(legId: "A" | "B" | "C"): void {
    const { onPacket, listen, decoder } = open(legId);
    let [pull, stop] = [(): void => {}, (): void => {}];
    const hear: CarrierLeg["hear"] = (feed) => {
      stop();
      stop = () => {};
      pull = () => {};
      if (feed && "mix" in feed) pull = () => void heard.set(legId, levelOf(feed.mix()));
      if (feed && "pass" in feed)
        stop = feed.pass.onPacket(({ payload }) => void heard.set(legId, levelOf(decodeSound(payload, "PCMU"))));
    };
    pulls.push(() => pull());
    const leg = { side: "carrier", onPacket, listen, decoder, encoder: createSoundEncoder(), hear } as unknown;
    legs.set(legId, leg as CarrierLeg);
  }

  for (const legId of ["R", "S"] as const) openBrowser(legId);
  for (const legId of ["A", "B", "C"] as const) openCarrier(legId);

  return {
    audio,
    ends,
    tapped,
    close(legId: string): void {
      const leg = legs.get(legId);
      legs.delete(legId);
      audio.forget(leg);
    },
    /** Who each leg hears after all have sent for a while, louder first. */
    listen(forTicks = 8): Record<string, string[]> {
      for (let tick = 0; tick < forTicks; tick++) {
        heard.clear();
        ticks++;
        for (const [i, { legId, say }] of speakers.entries()) {
          if (!legs.has(legId)) continue;
          const payload = muLaw(levels[legId as keyof typeof levels]);
          const [sequenceNumber, timestamp] = [ticks & 0xffff, ticks * samplesPerPacket];
          say({ payloadType: 0, marker: false, sequenceNumber, timestamp, ssrc: i + 1, payload });
        }
        audio.tick();
        for (const pull of pulls) pull();
      }
      return Object.fromEntries([...legs.keys()].map((legId) => [legId, whoIsIn(heard.get(legId) ?? 0)]));
    },
  };
}

function whoIsIn(level: number): string[] {
  let left = Math.round(level / 500);
  return Object.entries({ music: 16, C: 8, B: 4, A: 2, browser: 1 }).flatMap(([name, share]) => {
    if (left < share) return [];
    left -= share;
    return name;
  });
}

const saidOf = ({ participants }: Room): Record<string, string[]> =>
  Object.fromEntries(
    participants.map(({ legId, hears }) => {
      const names = hears.map((source) => (typeof source === "string" ? source : "music"));
      return [
        legId,
        names
          .map((name) => (["R", "S"].includes(name) ? "browser" : name))
          .toSorted()
          .toReversed(),
      ];
    }),
  );
const sorted = (heard: Record<string, string[]>) =>
  Object.fromEntries(Object.entries(heard).map(([legId, names]) => [legId, names.toSorted().toReversed()]));

test("after any sequence of rooms, each leg hears exactly what the last room says, and a leg in no room hears nothing", () => {
  const sound = record({ onHold: boolean(), silenced: boolean(), muted: boolean() });
  const states = record({
    A: sound,
    B: option(sound),
    C: option(sound),
    pair: constantFrom("AB", "AC", "BC", ""),
    browser: constantFrom("R", "R", "S", null),
  });
  assert(
    property(array(states, { minLength: 1, maxLength: 10 }), (sequence) => {
      const { audio, listen } = openThread();
      for (const { pair, browser, ...sounds } of sequence) {
        const calls = (["A", "B", "C"] as const).flatMap((legId): CallAudio[] => {
          const given = sounds[legId];
          const joinedWith = pair.includes(legId) ? pair.replace(legId, "") : null;
          return given ? [{ ...flagsOff, legId, joinedWith, ...given }] : [];
        });
        // Legs without a call here are in no room.
        for (const legId of ["R", "S", "A", "B", "C"]) audio.apply({ participants: [{ legId, hears: [] }] });
        const room = roomOf(calls, browser);
        audio.apply(room);
        const nobody = { R: [], S: [], A: [], B: [], C: [] };
        expect(sorted(listen())).toEqual({ ...nobody, ...saidOf(room) });
      }
    }),
    { numRuns: 60, seed: 16 },
  );
});

test("consecutive rooms leave nothing of each other behind", () => {
  const { audio, listen } = openThread();
  const [R, S, A, B] = ["R", "S", "A", "B"];
  const steps: [Room["participants"], Record<string, string[]>][] = [
    [
      [
        { legId: R, hears: [A] },
        { legId: A, hears: [R] },
      ],
      { R: ["A"], A: ["browser"] },
    ],
    [
      [
        { legId: R, hears: [A, B] },
        { legId: A, hears: [R, B] },
        { legId: B, hears: [R, A] },
      ],
      { R: ["B", "A"], A: ["browser", "B"], B: ["browser", "A"] },
    ],
    [
      [
        { legId: R, hears: [B] },
        { legId: A, hears: [holdMusic] },
        { legId: B, hears: [R] },
      ],
      { R: ["B"], A: ["music"], B: ["browser"] },
    ],
    // Another tab takes over: the former one hears nothing more.
    [
      [
        { legId: S, hears: [B] },
        { legId: A, hears: [holdMusic] },
        { legId: B, hears: [S] },
      ],
      { R: [], S: ["B"], A: ["music"], B: ["browser"] },
    ],
    [
      [
        { legId: A, hears: [B] },
        { legId: B, hears: [A] },
      ],
      { R: [], S: [], A: ["B"], B: ["A"] },
    ],
  ];
  for (const [participants, expected] of steps) {
    audio.apply({ participants });
    expect(sorted(listen())).toMatchObject(sorted(expected));
  }
});

test("applying the same room again changes nothing: an announcement plays once, and a mix has no gap", () => {
  const { audio, listen, ends } = openThread();
  const sentence = Buffer.concat(Array.from({ length: 4 }, () => muLaw(levels.C)));
  const room: Room = { participants: [{ legId: "A", hears: [{ play: "greeting", audio: sentence }] }] };
  audio.apply(room);
  expect(listen(2)["A"]).toEqual(["C"]);
  audio.apply(room);
  expect(listen(2)["A"]).toEqual(["C"]);
  expect(ends).toEqual([{ legId: "A", prompt: "greeting", isWhole: true }]);
  audio.apply(room);
  expect(listen(2)["A"]).toEqual([]);
  const conference = ["R", "A", "B"];
  const mix = {
    participants: conference.map((legId) => ({ legId, hears: conference.filter((each) => each !== legId) })),
  };
  audio.apply(mix);
  listen();
  audio.apply(mix);
  expect(sorted(listen(1))["R"]).toEqual(["B", "A"]);
});

test("reports once that an announcement was cut short", () => {
  const { audio, listen, ends, close } = openThread();
  const sentence = Buffer.concat(Array.from({ length: 50 }, () => muLaw(levels.C)));
  audio.apply({ participants: [{ legId: "A", hears: [{ play: "greeting", audio: sentence }] }] });
  listen(2);
  close("A");
  expect(ends).toEqual([{ legId: "A", prompt: "greeting", isWhole: false }]);
});

test("a closed leg is heard by no one, and the others continue", () => {
  const { audio, listen, close } = openThread();
  const conference = ["R", "A", "B"];
  audio.apply({
    participants: conference.map((legId) => ({ legId, hears: conference.filter((each) => each !== legId) })),
  });
  close("A");
  expect(listen()).toMatchObject({ R: ["B"], B: ["browser"] });
  close("B");
  expect(listen()).toMatchObject({ R: [] });
});

test("a tap keeps its two sides apart, and ends with a room that leaves it out or with its last far end", () => {
  const { audio, listen, tapped, close } = openThread();
  const participants = [
    { legId: "R", hears: ["A"] },
    { legId: "A", hears: ["R"] },
  ];
  const room: Room = { participants, taps: [{ id: "recording", left: "R", right: "A" }] };
  audio.apply(room);
  listen(40);
  audio.apply(room);
  listen(10);
  audio.apply({ participants });
  const { length } = tapped;
  expect(length).toBeGreaterThan(0);
  for (const { left, right } of tapped) {
    expect(Math.abs(left - levels.R)).toBeLessThan(50);
    expect(Math.abs(right - levels.A)).toBeLessThan(50);
  }
  listen(40);
  expect(tapped).toHaveLength(length);
  audio.apply(room);
  listen(5);
  close("A");
  const ended = tapped.length;
  expect(ended).toBeGreaterThan(length);
  listen(60);
  expect(tapped).toHaveLength(ended);
});
