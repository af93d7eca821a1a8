import type { MediaPlane } from "./media-plane.ts";

/** Another participant, by its leg, or what is played. */
type Source = string | typeof holdMusic;
export const holdMusic = { play: "hold-music" } as const;

export interface Participant {
  legId: string;
  side: "browser" | "carrier";
  /** Nothing is silence. */
  hears: readonly Source[];
}

/**
 * Who is in it, at most one of them a browser, and all that each of them hears. Of carriers who do not
 * wait and do not hear each other, the browser hears and is heard by one.
 */
export interface Room {
  participants: readonly Participant[];
}

/** A media plane that is told who hears whom, and not by which steps. */
export interface RoomPlane extends Omit<MediaPlane, "bridge" | "join" | "setHeld" | "setMuted" | "setSilenced"> {
  /**
   * Lets everybody hear what the room says. The same room again changes nothing; one that failed halfway is applied again to
   * bring it about. Rejects with LegGone where a leg is closed, or the browser's cannot meet the carrier's.
   */
  apply(room: Room): Promise<void>;
}

/** What was last done to a carrier leg; undefined: unknown. */
interface Standing {
  held?: boolean | undefined;
  muted?: boolean | undefined;
  silenced?: boolean | undefined;
  /** All who hear each other there, itself too. */
  meets?: readonly string[] | undefined;
}

type Step =
  | { set: "held" | "muted" | "silenced"; legId: string; to: boolean }
  | { meet: readonly Participant[]; by: "bridge" | "join" };

/** What is left to do: who is to stop hearing goes first, who is to hear again goes last. */
function stepsTo({ participants }: Room, standing: (legId: string) => Standing): Step[] {
  const carriers = participants.filter(({ side }) => side === "carrier");
  const browser = participants.find(({ side }) => side === "browser");
  const waiting = carriers.filter(({ hears }) => hears.includes(holdMusic));
  const talking = carriers.filter((each) => !waiting.includes(each));
  const set = (which: "held" | "muted" | "silenced", { legId }: Participant, to: boolean): Step[] =>
    standing(legId)[which] === to ? [] : [{ set: which, legId, to }];
  const isHeard = ({ legId }: Participant): boolean => participants.some(({ hears }) => hears.includes(legId));
  const meet = (of: readonly Participant[]): boolean => {
    const stands = of.filter(({ side }) => side === "carrier").map(({ legId }) => standing(legId).meets);
    return stands.every((now) => now?.length === of.length && of.every(({ legId }) => now.includes(legId)));
  };

  const all = browser ? [browser, ...carriers] : carriers;
  const hearEachOther = talking.some(({ hears }) => carriers.some(({ legId }) => hears.includes(legId)));
  // Only in a mix is somebody not heard who does not wait.
  const noneIsHeard = browser !== undefined && talking.length > 0 && !talking.some(isHeard);
  // One in which all but one wait lets that one be heard all the same.
  const isMixAlready = talking.length < 2 && meet(all);
  const isMix = carriers.length > 1 && (hearEachOther || noneIsHeard || isMixAlready);
  const met = browser
    ? talking.filter((each) => isMix || each.hears.includes(browser.legId) || browser.hears.includes(each.legId))
    : [];

  function meeting(): Step[] {
    if (isMix) return meet(all) ? [] : [{ meet: all, by: "join" }];
    if (!browser) return [];
    const [first = carriers.find((each) => meet([browser, each])) ?? carriers[0]] = met;
    if (!first || meet([browser, first])) return [];
    return [{ meet: [browser, first], by: "bridge" }];
  }

  return [
    ...waiting.flatMap((each) => set("held", each, true)),
    ...met.flatMap((each) => set("muted", each, !each.hears.includes(browser?.legId ?? ""))),
    ...(isMix ? talking : []).flatMap((each) => set("silenced", each, !isHeard(each))),
    ...meeting(),
    ...talking.flatMap((each) => set("held", each, false)),
  ];
}

/** Keeps what it has done to each leg, and does what a room lacks. */
export function withRooms(plane: MediaPlane): RoomPlane {
  const { bridge, join, setHeld, setMuted, setSilenced, ...others } = plane;
  const standings = new Map<string, Standing>();
  const standing = (legId: string): Standing => standings.get(legId) ?? {};
  const setters = { held: setHeld, muted: setMuted, silenced: setSilenced };

  const note = (legId: string, change: Standing): void => {
    standings.set(legId, { ...standing(legId), ...change });
  };
  function noteMeeting(met: readonly Participant[], legIds: readonly string[] | undefined): void {
    for (const [legId, { meets }] of standings)
      if (met.some((each) => meets?.includes(each.legId))) note(legId, { meets: undefined });
    for (const { legId, side } of met) if (side === "carrier") note(legId, { meets: legIds });
  }

  async function take(step: Step): Promise<void> {
    if ("set" in step) {
      const { set, legId, to } = step;
      note(legId, { [set]: undefined });
      await setters[set](legId, to);
      note(legId, { [set]: to });
    } else {
      const legIds = step.meet.map(({ legId }) => legId);
      const [first = "", second = ""] = legIds;
      noteMeeting(step.meet, undefined);
      await (step.by === "join" ? join(legIds) : bridge(first, second));
      noteMeeting(step.meet, legIds);
    }
  }

  return {
    ...others,
    async apply(room) {
      for (const step of stepsTo(room, standing)) await take(step);
    },
    async openCarrierLeg(options) {
      const opened = await plane.openCarrierLeg(options);
      standings.set(opened.legId, { held: false, muted: false, silenced: false, meets: [] });
      return opened;
    },
    async close(legId) {
      standings.delete(legId);
      await plane.close(legId);
    },
  };
}
