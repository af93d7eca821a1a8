import { type KeyPacket, packetsOfKey } from "@leadline/adapter-kit/rtp/telephone-event";
import { createTokenBucket } from "@leadline/adapter-kit/token-bucket";

/** A telephone number and more. Each holds the sound up for 180 ms: what a far end presses beyond this is left out. */
const mostWaiting = 20;
/** Of one far end's keys, so that those whom it is joined with are heard in between. */
const passedPerSecond = 3;

/** Whether a far end's next key is passed on to those whom it is joined with. */
export const limitPassedKeys = () => createTokenBucket({ perSecond: passedPerSecond, most: mostWaiting });

/** Keys on their way to a far end, one after the other in place of the sound: our own, and those another far end pressed. */
export function createKeyQueue() {
  let waiting: { key: string; isPassed: boolean }[] = [];
  let begun: KeyPacket[] = [];

  return {
    isEmpty: (): boolean => begun.length === 0 && waiting.length === 0,
    add: (keys: string): void => void waiting.push(...[...keys].map((key) => ({ key, isPassed: false }))),
    pass(key: string): void {
      if (waiting.length < mostWaiting) waiting.push({ key, isPassed: true });
    },
    /** One that has begun goes to its end. */
    dropPassed: (): void => void (waiting = waiting.filter(({ isPassed }) => !isPassed)),
    next(): KeyPacket | undefined {
      const following = begun.length === 0 ? waiting.shift() : undefined;
      if (following) begun = packetsOfKey(following.key);
      return begun.shift();
    },
  };
}
