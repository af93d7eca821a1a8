export type InOrder = <T>(run: () => Promise<T>) => Promise<T>;

/** Runs tasks one at a time. A failed task doesn't hold up the next. */
export function createInOrder(): InOrder {
  let last: Promise<unknown> = Promise.resolve();
  return (run) => {
    const next = last.then(run);
    last = next.catch(() => {});
    return next;
  };
}

/** Runs the tasks of a key one at a time, and forgets the key after its last task. */
export function createInOrderByKey(): <T>(key: string, run: () => Promise<T>) => Promise<T> {
  const queues = new Map<string, { inOrder: InOrder; waiting: number }>();
  return async (key, run) => {
    const queue = queues.get(key) ?? { inOrder: createInOrder(), waiting: 0 };
    queues.set(key, queue);
    queue.waiting++;
    try {
      return await queue.inOrder(run);
    } finally {
      if (--queue.waiting === 0) queues.delete(key);
    }
  };
}
