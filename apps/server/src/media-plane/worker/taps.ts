import type { Tap, TappedAudio } from "../room.ts";
import { createRecorder, type Side } from "./recorder.ts";
import type { Leg } from "./leg.ts";

type Sides = Record<Side, Leg | null>;

/** Records the legs of this thread for taps. */
export function createTaps(onAudio: (audio: TappedAudio) => void) {
  interface Open {
    sides: Sides;
    recorder: ReturnType<typeof createRecorder>;
    detach: Record<Side, () => void>;
    /** The participants of the room that last asked for it. */
    room: ReadonlySet<Leg>;
  }
  const taps = new Map<string, Open>();
  const nothing = (): void => {};

  function open(tapId: string): Open {
    const recorder = createRecorder((sides) => onAudio({ tapId, ...sides }));
    const tap = {
      sides: { left: null, right: null },
      recorder,
      detach: { left: nothing, right: nothing },
      room: new Set<Leg>(),
    };
    taps.set(tapId, tap);
    return tap;
  }

  function attach({ sides, recorder, detach }: Open, which: Side, leg: Leg | null): void {
    if (sides[which] === leg) return;
    detach[which]();
    sides[which] = leg;
    recorder.expect(which, leg !== null);
    detach[which] = leg ? leg.listen((read) => recorder.add(which, read)) : nothing;
  }

  function end(tapId: string, tap: Open): void {
    for (const which of ["left", "right"] as const) attach(tap, which, null);
    tap.recorder.end();
    taps.delete(tapId);
  }

  return {
    /** All taps of this room: those of its participants that it leaves out end. */
    apply(asked: readonly Tap[], room: ReadonlySet<Leg>, legOf: (legId: string) => Leg): void {
      for (const [tapId, tap] of taps) {
        const isOfRoom = [...tap.room].some((leg) => room.has(leg));
        if (isOfRoom && !asked.some(({ id }) => id === tapId)) end(tapId, tap);
      }
      for (const { id, left, right } of asked) {
        const tap = taps.get(id) ?? open(id);
        tap.room = room;
        attach(tap, "left", left === null ? null : legOf(left));
        attach(tap, "right", right === null ? null : legOf(right));
      }
    },
    /** Ends a tap whose carrier leg is gone; a browser leg may come back. */
    forget(leg: Leg): void {
      for (const [tapId, tap] of taps) {
        const { sides } = tap;
        for (const which of ["left", "right"] as const) if (sides[which] === leg) attach(tap, which, null);
        tap.room = new Set([...tap.room].filter((each) => each !== leg));
        if (![...tap.room].some(({ side }) => side === "carrier")) end(tapId, tap);
      }
    },
  };
}
