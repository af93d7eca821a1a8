import { Agent, request } from "node:http";

export interface Pressure {
  perSecond: number;
  latenciesMs: number[];
}

/** Asks over and over on that many connections, each waiting for its answer, for that long. Any other status than 200 throws. */
export async function press(
  url: URL,
  options: { connections: number; ms: number; headers?: Record<string, string> },
): Promise<Pressure> {
  const { connections, ms, headers = {} } = options;
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const latenciesMs: number[] = [];
  const startedAt = performance.now();
  const one = async (): Promise<void> => {
    while (performance.now() - startedAt < ms) {
      const askedAt = performance.now();
      await ask(url, agent, headers);
      latenciesMs.push(performance.now() - askedAt);
    }
  };
  await Promise.all(Array.from({ length: connections }, one));
  agent.destroy();
  return { perSecond: (latenciesMs.length * 1000) / (performance.now() - startedAt), latenciesMs };
}

function ask(url: URL, agent: Agent, headers: Record<string, string>): Promise<void> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { agent, headers }, (answer) => {
      answer.resume();
      answer.once("end", () => (answer.statusCode === 200 ? resolve() : reject(new Error(`${answer.statusCode}`))));
    });
    sent.once("error", reject);
    sent.end();
  });
}
