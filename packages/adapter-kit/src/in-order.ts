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
