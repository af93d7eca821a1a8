import { Pool } from "undici";

export interface Pressure {
  perSecond: number;
  latenciesMs: number[];
}

/**
 * Sends requests on this many connections for this long, one at a time per connection. Throws on any status but 200.
 * Uses undici's dispatch, as node:http would take more of the server's processors.
 */
export async function press(
  url: URL,
  options: { connections: number; ms: number; headers?: Record<string, string> },
): Promise<Pressure> {
  const { connections, ms, headers = {} } = options;
  const pool = new Pool(url.origin, { connections, pipelining: 1 });
  const latenciesMs: number[] = [];
  const startedAt = performance.now();
  const one = async (): Promise<void> => {
    while (performance.now() - startedAt < ms) {
      const askedAt = performance.now();
      await ask(pool, url.pathname + url.search, headers);
      latenciesMs.push(performance.now() - askedAt);
    }
  };
  await Promise.all(Array.from({ length: connections }, one));
  await pool.close();
  return { perSecond: (latenciesMs.length * 1000) / (performance.now() - startedAt), latenciesMs };
}

function ask(pool: Pool, path: string, headers: Record<string, string>): Promise<void> {
  return new Promise((resolve, reject) => {
    let status = 0;
    pool.dispatch(
      { path, method: "GET", headers },
      {
        onRequestStart: () => {},
        onResponseStart: (_controller, statusCode) => void (status = statusCode),
        onResponseData: () => {},
        onResponseEnd: () => (status === 200 ? resolve() : reject(new Error(`${path} answered ${status}`))),
        onResponseError: (_controller, error) => reject(error),
      },
    );
  });
}
