import type { CallFlags } from "@leadline/contract/call-flags";
import { holdMusic, type Participant, type Room } from "../../../media-plane/room.ts";

/** What a call contributes to its room. */
export interface CallAudio extends CallFlags {
  /** The call's carrier leg. */
  legId: string;
  /** The far end is on hold, for any reason. */
  onHold: boolean;
  /** The carrier leg of the call it is joined with. */
  joinedWith: string | null;
}

const areJoined = (one: CallAudio, other: CallAudio): boolean =>
  one.joinedWith === other.legId && other.joinedWith === one.legId;

/**
 * Who hears whom in one person's calls. browserLegId is null if no browser is connected, or if the person has left the
 * two far ends to each other.
 */
export function roomOf(calls: readonly CallAudio[], browserLegId: string | null): Room {
  const offHold = calls.filter(({ onHold }) => !onHold);
  const [lead] = offHold;
  const inRoom = offHold.filter((call) => call === lead || (lead && areJoined(call, lead)));
  const isSilenced = (call: CallAudio): boolean => call.silenced && calls.some((other) => areJoined(call, other));
  const heard = inRoom.filter((call) => !isSilenced(call)).map(({ legId }) => legId);
  const farEnds = calls.map((call): Participant => {
    const hears = call.muted || browserLegId === null ? [] : [browserLegId];
    const others = heard.filter((legId) => legId !== call.legId);
    const talks = inRoom.includes(call) ? [...hears, ...others] : [];
    return { legId: call.legId, hears: call.onHold ? [holdMusic] : talks };
  });
  const browser: Participant[] = browserLegId === null ? [] : [{ legId: browserLegId, hears: heard }];
  return { participants: [...browser, ...farEnds] };
}
