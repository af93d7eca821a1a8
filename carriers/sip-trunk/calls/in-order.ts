/** Runs what it's given one after the other; what fails holds up nothing. */
export function createInOrder() {
  let last: Promise<unknown> = Promise.resolve();
  return <T>(run: () => Promise<T>): Promise<T> => {
    const next = last.then(run);
    last = next.catch(() => {});
    return next;
  };
}
