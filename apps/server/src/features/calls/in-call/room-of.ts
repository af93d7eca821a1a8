import { holdMusic, type Participant, type Room } from "../../../media-plane/room.ts";

/** What a call says of who hears whom. */
export interface CallSound {
  /** Its carrier leg. */
  legId: string;
  /** Its far end is on hold, for whatever reason. */
  waits: boolean;
  muted: boolean;
  silenced: boolean;
  /** By its carrier leg, the call whose far end hears this one's. */
  joinedWith: string | null;
}

/** Who hears whom in one person's calls, two at the most. Null: they are not there, or have left the two to each other. */
export function roomOf(calls: readonly CallSound[], browserLegId: string | null): Room {
  const [first, second] = calls;
  const areJoined = first?.joinedWith === second?.legId && second?.joinedWith === first?.legId && calls.length === 2;
  const talking = calls.filter(({ waits }) => !waits);
  const met = areJoined ? talking : talking.slice(0, 1);
  const heard = met.filter(({ silenced }) => !areJoined || !silenced).map(({ legId }) => legId);
  const farEnds = calls.map((call): Participant => {
    const hears = call.muted || browserLegId === null ? [] : [browserLegId];
    const others = heard.filter((legId) => legId !== call.legId);
    const talks = met.includes(call) ? [...hears, ...others] : [];
    return { legId: call.legId, side: "carrier", hears: call.waits ? [holdMusic] : talks };
  });
  const browser: Participant[] = browserLegId === null ? [] : [{ legId: browserLegId, side: "browser", hears: heard }];
  return { participants: [...browser, ...farEnds] };
}
