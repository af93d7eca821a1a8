/** The patience for a turn ran out. Nothing was done. */
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
}

interface Queue {
  brisk: number;
  long: number;
  waiting: Set<() => void>;
}

/** One queue per key, served round robin: a long queue only delays itself. */
export function createFairTurns({ atOnce, briskEach, longEach, longMs, patienceMs }: Limits): FairTurns {
  /** In serving order: a key that was served goes to the end. */
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
