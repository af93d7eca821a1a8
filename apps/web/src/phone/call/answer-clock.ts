/** The moment of the answer on this page's monotonic clock (performance.now), for a call first seen later. */
export async function answeredMomentMs(answeredAt: string): Promise<number> {
  const elapsedMs = Math.max(0, (await serverNowMs()) - Date.parse(answeredAt));
  return performance.now() - elapsedMs;
}

/** The server's time, so that a wrong local clock doesn't affect the timer. HTTP dates are truncated to the second. */
async function serverNowMs(): Promise<number> {
  try {
    const response = await fetch("/api/health", { cache: "no-store", signal: AbortSignal.timeout(3000) });
    const date = Date.parse(response.headers.get("date") ?? "");
    return Number.isNaN(date) ? Date.now() : date + 500;
  } catch {
    return Date.now();
  }
}
