import type { MediaPlane } from "../../media-plane/media-plane.ts";
import { holdMusic, type Participant } from "../../media-plane/room.ts";

interface Meeting {
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
  let meetings: Meeting[] = [];

  const meetingOf = (legId: string) => meetings.find(({ legIds }) => legIds.includes(legId));

  async function state(meeting: Meeting): Promise<void> {
    const there = await Promise.all(meeting.legIds.map(async (legId) => (await plane().stats(legId)) !== null));
    meeting.legIds = meeting.legIds.filter((_, i) => there[i]);
    const talking = meeting.talking.filter((legId) => meeting.legIds.includes(legId));
    const hears = (legId: string): Participant["hears"] => {
      if (held.has(legId)) return [holdMusic];
      if (!talking.includes(legId)) return [];
      const isHeard = (other: string) => other !== legId && !held.has(other) && !silenced.has(other);
      return talking.filter((other) => isHeard(other) && !(muted.has(legId) && browsers.has(other)));
    };
    await plane().apply({ participants: meeting.legIds.map((legId) => ({ legId, hears: hears(legId) })) });
  }

  function gather(legIds: readonly string[], { staying = [] as string[] } = {}): Meeting {
    const all = [...new Set([...staying, ...legIds])];
    for (const each of meetings) each.legIds = each.legIds.filter((legId) => !all.includes(legId));
    meetings = meetings.filter((each) => each.legIds.length > 0);
    const meeting = { legIds: all, talking: legIds };
    meetings.push(meeting);
    return meeting;
  }

  const set = (flag: Set<string>) => async (legId: string, to: boolean) => {
    if (to) flag.add(legId);
    else flag.delete(legId);
    const meeting = meetingOf(legId);
    if (meeting) await state(meeting);
  };

  return {
    /** Connects these two; the other participants stay on hold or in silence. */
    async talk(browserLegId: string, carrierLegId: string): Promise<void> {
      browsers.add(browserLegId);
      const others = [browserLegId, carrierLegId].flatMap((legId) => meetingOf(legId)?.legIds ?? []);
      const staying = others.filter((legId) => legId === browserLegId || !browsers.has(legId));
      await state(gather([browserLegId, carrierLegId], { staying }));
    },
    meet: (legIds: readonly string[]): Promise<void> => state(gather(legIds)),
    hold: set(held),
    mute: set(muted),
    silence: set(silenced),
  };
}
