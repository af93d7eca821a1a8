import { type KeyPacket, packetsOfKey } from "@leadline/adapter-kit/rtp/telephone-event";
import { createTokenBucket } from "@leadline/adapter-kit/token-bucket";

/** Longer than a phone number. Each digit displaces 180 ms of audio: more digits from a far end are dropped. */
const maxWaiting = 20;
/** Per far end, so that the participants it is mixed with are heard in between. */
const passedPerSecond = 3;

/** Whether a far end's next digit is passed on to the participants it is mixed with. */
export const limitPassedKeys = () => createTokenBucket({ perSecond: passedPerSecond, most: maxWaiting });

/**
 * DTMF digits queued for a far end, sent one after the other in place of the audio: our own, and those that another far
 * end pressed.
 */
export function createKeyQueue() {
  let waiting: { key: string; isPassed: boolean }[] = [];
  let begun: KeyPacket[] = [];

  return {
    isEmpty: (): boolean => begun.length === 0 && waiting.length === 0,
    add: (keys: string): void => void waiting.push(...[...keys].map((key) => ({ key, isPassed: false }))),
    pass(key: string): void {
      if (waiting.length < maxWaiting) waiting.push({ key, isPassed: true });
    },
    /** The current digit is finished. */
    dropPassed: (): void => void (waiting = waiting.filter(({ isPassed }) => !isPassed)),
    next(): KeyPacket | undefined {
      const following = begun.length === 0 ? waiting.shift() : undefined;
      if (following) begun = packetsOfKey(following.key);
      return begun.shift();
    },
  };
}
