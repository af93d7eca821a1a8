interface Rounds {
  everyMs: number;
  /** Also runs one now. */
  atOnce?: boolean;
  onError: (error: unknown) => void;
}

/**
 * Runs rounds of work at an interval, one at a time: one that takes longer than the interval delays the next. Returns a
 * function that stops them and waits for the current round.
 */
export function runEvery(
  round: () => Promise<unknown>,
  { everyMs, atOnce = false, onError }: Rounds,
): () => Promise<void> {
  let running: Promise<unknown> | null = null;
  const run = (): void => {
    running ??= round()
      .catch(onError)
      .finally(() => (running = null));
  };
  if (atOnce) run();
  const timer = setInterval(run, everyMs);
  timer.unref();
  return async () => {
    clearInterval(timer);
    await running;
  };
}
