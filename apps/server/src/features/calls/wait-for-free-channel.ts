import { setTimeout as sleep } from "node:timers/promises";
import type { Channel } from "../carriers/channels/dial-permits.ts";

/** A shorter wait is over before anyone could read why. */
const shownFromMs = 300;
const lookAgainMs = 500;

/** Whether the wait for this channel is long enough to be shown. Null: none is free yet. */
export const isWaitShown = (channel: Channel | null): boolean => channel === null || channel.waitMs >= shownFromMs;

interface Wanted {
  isWanted: () => boolean;
  patienceMs: number;
  /** Null: all channels are in use, or the next turn is later than `maxWaitMs`. */
  take: (maxWaitMs: number) => Promise<Channel | null>;
}

/** Tries again until one of a carrier's channels is free. Null: none was free in time, or it is no longer wanted. */
export async function waitForFreeChannel(
  first: Channel | null,
  { isWanted, patienceMs, take }: Wanted,
): Promise<Channel | null> {
  const untilMs = performance.now() + patienceMs;
  let channel = first;
  while (channel === null && isWanted() && performance.now() < untilMs) {
    await sleep(lookAgainMs, undefined, { ref: false });
    if (isWanted()) channel = await take(untilMs - performance.now());
  }
  return channel;
}
