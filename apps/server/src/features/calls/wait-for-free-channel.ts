import { setTimeout as sleep } from "node:timers/promises";
import type { Channel } from "../carriers/channels/dial-permits.ts";

/** A shorter wait is over before anyone could read why. */
const shownFromMs = 300;
const lookAgainMs = 500;

/** Whether the wait for this channel is long enough to be shown. Null: none is free yet. */
export const isWaitShown = (channel: Channel | null): boolean => channel === null || channel.waitMs >= shownFromMs;

interface Wanted<Found> {
  isWanted: () => boolean;
  patienceMs: number;
  /** Null: all channels are in use, or the next turn is later than `maxWaitMs`. */
  take: (maxWaitMs: number) => Promise<Found | null>;
}

/** Tries again until a carrier has a free channel. Null: none was free in time, or it is no longer wanted. */
export async function waitForFreeChannel<Found>(
  first: Found | null,
  { isWanted, patienceMs, take }: Wanted<Found>,
): Promise<Found | null> {
  const untilMs = performance.now() + patienceMs;
  let found = first;
  while (found === null && isWanted() && performance.now() < untilMs) {
    await sleep(lookAgainMs, undefined, { ref: false });
    if (isWanted()) found = await take(untilMs - performance.now());
  }
  return found;
}
