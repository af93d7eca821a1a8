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

const areJoined = (one: CallSound, other: CallSound): boolean =>
  one.joinedWith === other.legId && other.joinedWith === one.legId;

/** Who hears whom in one person's calls. Null: they are not there, or have left two to each other. */
export function roomOf(calls: readonly CallSound[], browserLegId: string | null): Room {
  const talking = calls.filter(({ waits }) => !waits);
  const [lead] = talking;
  const met = talking.filter((call) => call === lead || (lead && areJoined(call, lead)));
  const isSilenced = (call: CallSound): boolean => call.silenced && calls.some((other) => areJoined(call, other));
  const heard = met.filter((call) => !isSilenced(call)).map(({ legId }) => legId);
  const farEnds = calls.map((call): Participant => {
    const hears = call.muted || browserLegId === null ? [] : [browserLegId];
    const others = heard.filter((legId) => legId !== call.legId);
    const talks = met.includes(call) ? [...hears, ...others] : [];
    return { legId: call.legId, hears: call.waits ? [holdMusic] : talks };
  });
  const browser: Participant[] = browserLegId === null ? [] : [{ legId: browserLegId, hears: heard }];
  return { participants: [...browser, ...farEnds] };
}
