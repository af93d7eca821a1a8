/** The patience for a turn ran out, or too many waited. Nothing was done. */
export class NoTurnInTime extends Error {
  override name = "NoTurnInTime";
}

export interface FairTurns {
  /** Resolves when it is this key's turn, to a function that ends the turn. */
  take(key: string): Promise<() => void>;
}

interface Limits {
  /** Turns in progress, over all keys. */
  atOnce: number;
  /** Per key. Few, because concurrent turns share the processors. */
  briskEach: number;
  /**
   * Per key, for turns that have lasted `longMs`. These wait for something, perhaps a lock, and don't delay the key's
   * brisk turns.
   */
  longEach: number;
  longMs: number;
  /** A caller that has waited this long is refused. */
  patienceMs: number;
  /** Over all keys. Beyond that, the key with the most callers waiting loses its newest. */
  mostWaiting?: number;
}

interface Waiting {
  serve(): void;
  refuse(why: string): void;
}

interface Queue {
  brisk: number;
  long: number;
  waiting: Set<Waiting>;
}

/** One queue per key, served round robin: a long queue only delays itself. */
export function createFairTurns(limits: Limits): FairTurns {
  const { atOnce, briskEach, longEach, longMs, patienceMs, mostWaiting = Number.POSITIVE_INFINITY } = limits;
  /** In serving order: a key that was served goes to the end. */
  const queues = new Map<string, Queue>();
  let underWay = 0;
  let waitingInAll = 0;

  const isFree = (queue: Queue): boolean => underWay < atOnce && queue.brisk < briskEach;

  const forgetIdle = (key: string, queue: Queue): void => {
    if (queue.brisk + queue.long + queue.waiting.size === 0) queues.delete(key);
  };

  const serveNext = (): void => {
    for (const queue of queues.values()) {
      const [next] = queue.waiting;
      if (next !== undefined && isFree(queue)) return next.serve();
    }
  };

  const begin = (key: string, queue: Queue): (() => void) => {
    let kind: "brisk" | "long" = "brisk";
    underWay += 1;
    queue.brisk += 1;
    queues.delete(key);
    queues.set(key, queue);
    const timer = setTimeout(() => {
      if (queue.long === longEach) return;
      queue.brisk -= 1;
      queue.long += 1;
      kind = "long";
      serveNext();
    }, longMs).unref();
    return () => {
      clearTimeout(timer);
      underWay -= 1;
      queue[kind] -= 1;
      forgetIdle(key, queue);
      serveNext();
    };
  };

  const refuseNewest = (): void => {
    // Of two that are as long, the one that is served later.
    const longest = [...queues.values()].toSorted((a, b) => a.waiting.size - b.waiting.size).at(-1);
    [...(longest?.waiting ?? [])].at(-1)?.refuse(`${mostWaiting} others wait`);
  };

  const wait = (key: string, queue: Queue): Promise<() => void> =>
    new Promise((resolve, reject) => {
      const leave = () => {
        clearTimeout(timer);
        queue.waiting.delete(caller);
        waitingInAll -= 1;
      };
      const caller: Waiting = {
        serve() {
          leave();
          resolve(begin(key, queue));
        },
        refuse(why) {
          leave();
          forgetIdle(key, queue);
          reject(new NoTurnInTime(why));
        },
      };
      const timer = setTimeout(() => caller.refuse(`no turn within ${patienceMs} ms`), patienceMs);
      queue.waiting.add(caller);
      waitingInAll += 1;
      if (waitingInAll > mostWaiting) refuseNewest();
    });

  return {
    async take(key) {
      const queue = queues.get(key) ?? { brisk: 0, long: 0, waiting: new Set() };
      queues.set(key, queue);
      return isFree(queue) && queue.waiting.size === 0 ? begin(key, queue) : wait(key, queue);
    },
  };
}
