import type { MediaPlane } from "../../media-plane/media-plane.ts";
import { holdMusic, type Participant } from "../../media-plane/room.ts";

interface TestRoom {
  legIds: string[];
  /** The legs that hear each other; the others hear nothing but the hold music. */
  talking: readonly string[];
}

/** For tests that change who hears whom step by step: each change states the whole room again. */
export function roomsOf(given: Pick<MediaPlane, "apply" | "stats"> | (() => Pick<MediaPlane, "apply" | "stats">)) {
  const plane = () => (typeof given === "function" ? given() : given);
  const [browsers, held, muted, silenced] = [
    new Set<string>(),
    new Set<string>(),
    new Set<string>(),
    new Set<string>(),
  ];
  let rooms: TestRoom[] = [];

  const roomOfLeg = (legId: string) => rooms.find(({ legIds }) => legIds.includes(legId));

  async function state(room: TestRoom): Promise<void> {
    const there = await Promise.all(room.legIds.map(async (legId) => (await plane().stats(legId)) !== null));
    room.legIds = room.legIds.filter((_, i) => there[i]);
    const talking = room.talking.filter((legId) => room.legIds.includes(legId));
    const hears = (legId: string): Participant["hears"] => {
      if (held.has(legId)) return [holdMusic];
      if (!talking.includes(legId)) return [];
      const isHeard = (other: string) => other !== legId && !held.has(other) && !silenced.has(other);
      return talking.filter((other) => isHeard(other) && !(muted.has(legId) && browsers.has(other)));
    };
    await plane().apply({ participants: room.legIds.map((legId) => ({ legId, hears: hears(legId) })) });
  }

  function gather(legIds: readonly string[], { staying = [] as string[] } = {}): TestRoom {
    const all = [...new Set([...staying, ...legIds])];
    for (const each of rooms) each.legIds = each.legIds.filter((legId) => !all.includes(legId));
    rooms = rooms.filter((each) => each.legIds.length > 0);
    const room = { legIds: all, talking: legIds };
    rooms.push(room);
    return room;
  }

  const set = (flag: Set<string>) => async (legId: string, to: boolean) => {
    if (to) flag.add(legId);
    else flag.delete(legId);
    const room = roomOfLeg(legId);
    if (room) await state(room);
  };

  return {
    /** Connects these two; the other participants stay on hold or in silence. */
    async talk(browserLegId: string, carrierLegId: string): Promise<void> {
      browsers.add(browserLegId);
      const others = [browserLegId, carrierLegId].flatMap((legId) => roomOfLeg(legId)?.legIds ?? []);
      const staying = others.filter((legId) => legId === browserLegId || !browsers.has(legId));
      await state(gather([browserLegId, carrierLegId], { staying }));
    },
    meet: (legIds: readonly string[]): Promise<void> => state(gather(legIds)),
    hold: set(held),
    mute: set(muted),
    silence: set(silenced),
  };
}
