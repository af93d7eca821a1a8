import { holdMusic, type Participant, type Room } from "../../../media-plane/room.ts";

/** What a call contributes to its room. */
export interface CallSound {
  /** The call's carrier leg. */
  legId: string;
  /** The far end is on hold, for any reason. */
  waits: boolean;
  muted: boolean;
  silenced: boolean;
  /** The carrier leg of the call it is joined with. */
  joinedWith: string | null;
}

const areJoined = (one: CallSound, other: CallSound): boolean =>
  one.joinedWith === other.legId && other.joinedWith === one.legId;

/**
 * Who hears whom in one person's calls. browserLegId is null if no browser is connected, or if the person has left the
 * two far ends to each other.
 */
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
