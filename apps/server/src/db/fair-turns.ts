/** Waited for its turn as long as it was to. Nothing was done. */
export class NoTurnInTime extends Error {
  override name = "NoTurnInTime";
}

export interface FairTurns {
  /** Resolves once it is this key's turn, with what ends the turn. */
  take(key: string): Promise<() => void>;
}

interface Limits {
  /** Turns under way, of all keys. */
  atOnce: number;
  /** Of one key: few, as what is under way at once shares the processors. */
  briskEach: number;
  /** Of one key, of those that have lasted `longMs`. These wait for something, a lock perhaps, and hold up none of its brisk ones. */
  longEach: number;
  longMs: number;
  /** Whoever has waited this long is refused. */
  patienceMs: number;
}

interface Queue {
  brisk: number;
  long: number;
  waiting: Set<() => void>;
}

/** A queue for each key, served round robin: however long one is, it delays itself alone. */
export function createFairTurns({ atOnce, briskEach, longEach, longMs, patienceMs }: Limits): FairTurns {
  /** In the order in which they are served: whoever was served goes to the end. */
  const queues = new Map<string, Queue>();
  let underWay = 0;

  const isFree = (queue: Queue): boolean => underWay < atOnce && queue.brisk < briskEach;

  const forgetIdle = (key: string, queue: Queue): void => {
    if (queue.brisk + queue.long + queue.waiting.size === 0) queues.delete(key);
  };

  const serveNext = (): void => {
    for (const queue of queues.values()) {
      const [next] = queue.waiting;
      if (next !== undefined && isFree(queue)) return next();
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

  const wait = (key: string, queue: Queue): Promise<() => void> =>
    new Promise((resolve, reject) => {
      const serve = () => {
        clearTimeout(timer);
        queue.waiting.delete(serve);
        resolve(begin(key, queue));
      };
      const timer = setTimeout(() => {
        queue.waiting.delete(serve);
        forgetIdle(key, queue);
        reject(new NoTurnInTime(`no turn within ${patienceMs} ms`));
      }, patienceMs);
      queue.waiting.add(serve);
    });

  return {
    async take(key) {
      const queue = queues.get(key) ?? { brisk: 0, long: 0, waiting: new Set() };
      queues.set(key, queue);
      return isFree(queue) && queue.waiting.size === 0 ? begin(key, queue) : wait(key, queue);
    },
  };
}
