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
export function createInOrderByKey() {
  const queues = new Map<string, { inOrder: InOrder; waiting: number }>();
  return {
    async run<T>(key: string, task: () => Promise<T>): Promise<T> {
      const queue = queues.get(key) ?? { inOrder: createInOrder(), waiting: 0 };
      queues.set(key, queue);
      queue.waiting++;
      try {
        return await queue.inOrder(task);
      } finally {
        if (--queue.waiting === 0) queues.delete(key);
      }
    },
    /** Whether a task of the key is running. */
    has: (key: string): boolean => queues.has(key),
    /** Waits for all tasks so far, failed or not. */
    async finished(): Promise<void> {
      await Promise.all([...queues.values()].map(({ inOrder }) => inOrder(async () => {})));
    },
  };
}
