export type InOrder = <T>(run: () => Promise<T>) => Promise<T>;

/** Runs what it's given one after the other; what fails holds up nothing. */
export function createInOrder(): InOrder {
  let last: Promise<unknown> = Promise.resolve();
  return (run) => {
    const next = last.then(run);
    last = next.catch(() => {});
    return next;
  };
}
