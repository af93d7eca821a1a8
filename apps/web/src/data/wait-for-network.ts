/** Delays between attempts to reconnect; the last one repeats. */
const retryPausesMs = [0, 500, 1000, 2000, 4000] as const;

export const retryPauseMs = (attempt: number): number => retryPausesMs[attempt] ?? retryPausesMs[4];

/** Waits this long, or until the browser reports that the network is back. */
export async function waitForNetwork(ms: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const onOnline = (): void => resolve();
  const timer = setTimeout(resolve, ms);
  window.addEventListener("online", onOnline);
  await promise;
  clearTimeout(timer);
  window.removeEventListener("online", onOnline);
}
