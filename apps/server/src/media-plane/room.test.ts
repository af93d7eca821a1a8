import { array, assert, asyncProperty, boolean, constantFrom, option, record } from "fast-check";
import { expect, test } from "vitest";
import { type CallSound, roomOf } from "../features/calls/in-call/room-of.ts";
import { LegGone, type MediaPlane } from "./media-plane.ts";
import { holdMusic, type Room, withRooms } from "./room.ts";

/** A plane in memory that does what MediaPlane says, and tells who hears whom. */
function createSilentPlane() {
  const flags = new Map<string, { held: boolean; muted: boolean; silenced: boolean }>();
  let meetings: string[][] = [];
  const steps: string[] = [];
  let failing: string | null = null;
  let opened = 0;
  const take = (step: string): void => {
    if (failing !== null && step.startsWith(failing)) throw new LegGone(step);
    steps.push(step);
  };
  const isCarrier = (legId: string): boolean => flags.has(legId);
  const meet = (legIds: readonly string[]): void => {
    meetings = meetings.map((each) => each.filter((legId) => !legIds.includes(legId)));
    meetings.push([...legIds]);
  };
  const set = (flag: "held" | "muted" | "silenced") => async (legId: string, to: boolean) => {
    take(`${flag} ${legId} ${to}`);
    const now = flags.get(legId);
    if (now) now[flag] = to;
  };
  const plane = {
    openCarrierLeg: async () => {
      const legId = ["A", "B"][opened++ % 2] ?? "";
      flags.set(legId, { held: false, muted: false, silenced: false });
      return { legId, offer: "" };
    },
    bridge: async (browserLegId: string, carrierLegId: string) => {
      take(`bridge ${browserLegId} ${carrierLegId}`);
      meet([browserLegId, carrierLegId]);
    },
    join: async (legIds: readonly string[]) => {
      take(`join ${legIds.join(" ")}`);
      meet(legIds);
    },
    setHeld: set("held"),
    setMuted: set("muted"),
    setSilenced: set("silenced"),
    close: async (legId: string) => {
      flags.delete(legId);
      meetings = meetings.map((each) => each.filter((other) => other !== legId));
    },
  };
  const hears = (legId: string): string[] => {
    if (flags.get(legId)?.held) return ["music"];
    const others = (meetings.find((each) => each.includes(legId)) ?? []).filter((each) => each !== legId);
    return others.filter((other) => {
      const { held = false, silenced = false } = flags.get(other) ?? {};
      if (isCarrier(other)) return !held && !(silenced && others.some(isCarrier) && others.length + 1 > 2);
      return !flags.get(legId)?.muted;
    });
  };
  return {
    plane: plane as unknown as MediaPlane,
    steps,
    hears,
    failAt: (step: string | null) => void (failing = step),
  };
}

const heardIn = ({ participants }: Room) =>
  participants.map(({ legId, hears }) => [
    legId,
    hears.map((source) => (source === holdMusic ? "music" : String(source))).toSorted(),
  ]);

async function openTwo() {
  const silent = createSilentPlane();
  const rooms = withRooms(silent.plane);
  await rooms.openCarrierLeg();
  await rooms.openCarrierLeg();
  const heard = (room: Room) => room.participants.map(({ legId }) => [legId, silent.hears(legId).toSorted()]);
  return { ...silent, rooms, heard };
}

const call = (legId: "A" | "B", change: Partial<CallSound> = {}): CallSound => ({
  legId,
  waits: false,
  muted: false,
  silenced: false,
  joinedWith: null,
  ...change,
});

test("whatever a person's two calls were to each other before, everybody hears whom the room says, and again nothing is done", async () => {
  const sound = record({ waits: boolean(), silenced: boolean() });
  const states = record({
    first: sound,
    second: option(sound),
    muted: boolean(),
    joined: boolean(),
    browser: constantFrom("R", "R", "R", "S", null),
  });
  await assert(
    asyncProperty(array(states, { minLength: 1, maxLength: 12 }), async (sequence) => {
      const { rooms, heard, steps } = await openTwo();
      for (const { first, second, muted, joined, browser } of sequence) {
        const areJoined = joined && second !== null;
        // Of two who are not joined one waits.
        const waits = second?.waits === true || (!areJoined && !first.waits);
        const calls = [
          call("A", { ...first, muted, joinedWith: areJoined ? "B" : null }),
          ...(second ? [call("B", { ...second, waits, muted, joinedWith: areJoined ? "A" : null })] : []),
        ];
        const room = roomOf(calls, browser);
        // Who is alone, or without a page, may be left with whoever else is there: nobody arranges that.
        if (second === null || browser === null) continue;
        await rooms.apply(room);
        expect(heard(room)).toEqual(heardIn(room));
        const before = steps.length;
        await rooms.apply(room);
        expect(steps.slice(before)).toEqual([]);
      }
    }),
    { numRuns: 300 },
  );
});

test("who is to wait does so before the other is heard", async () => {
  const { rooms, steps } = await openTwo();
  await rooms.apply(roomOf([call("A"), call("B", { waits: true })], "R"));
  steps.length = 0;
  await rooms.apply(roomOf([call("A", { waits: true }), call("B")], "R"));
  expect(steps).toEqual(["held A true", "bridge R B", "held B false"]);
});

test("a fresh call takes one step", async () => {
  const { rooms, steps } = await openTwo();
  await rooms.apply(roomOf([call("A")], "R"));
  expect(steps).toEqual(["bridge R A"]);
});

test("a hold in a conference leaves the others mixed", async () => {
  const { rooms, steps } = await openTwo();
  const [a, b] = [call("A", { joinedWith: "B" }), call("B", { joinedWith: "A" })];
  await rooms.apply(roomOf([a, b], "R"));
  await rooms.apply(roomOf([{ ...a, waits: true }, b], "R"));
  await rooms.apply(roomOf([a, b], "R"));
  expect(steps).toEqual(["join R A B", "held A true", "held A false"]);
});

test("whoever stays of a conference is bridged again", async () => {
  const { rooms, steps } = await openTwo();
  await rooms.apply(roomOf([call("A", { joinedWith: "B" }), call("B", { joinedWith: "A" })], "R"));
  await rooms.close("A");
  await rooms.apply(roomOf([call("B")], "R"));
  expect(steps.at(-1)).toBe("bridge R B");
});

test("a call on hold goes along to another page", async () => {
  const { rooms, steps } = await openTwo();
  await rooms.apply(roomOf([call("A", { waits: true })], "R"));
  await rooms.apply(roomOf([call("A", { waits: true })], "S"));
  expect(steps).toEqual(["held A true", "bridge R A", "bridge S A"]);
});

test("what failed is done with the next room", async () => {
  const { rooms, steps, failAt } = await openTwo();
  failAt("bridge");
  await expect(rooms.apply(roomOf([call("A", { muted: true })], "R"))).rejects.toThrow(LegGone);
  failAt(null);
  await rooms.apply(roomOf([call("A", { muted: true })], "R"));
  expect(steps).toEqual(["muted A true", "bridge R A"]);
});

test("of a leg that another process opened everything is said", async () => {
  const { plane, steps } = createSilentPlane();
  await withRooms(plane).apply(roomOf([call("A")], "R"));
  expect(steps).toEqual(["muted A false", "bridge R A", "held A false"]);
});
