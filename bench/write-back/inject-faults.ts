import { setTimeout as sleep } from "node:timers/promises";
import type { Fault } from "@leadline/crm-sandbox/faults";
import type { TwoServers } from "./open-two-servers.ts";

const faults: readonly (readonly [name: string, fault: Fault])[] = [
  ["429", { status: 429, headers: { "retry-after": "1" } }],
  ["500", { status: 500 }],
  ["503", { status: 503 }],
  ["lost answers", { loseAnswer: true }],
  ["slow answers", { delayMs: 400 }],
];

/** A token that expires twice within one request looks like revoked access, which only a person can restore. */
const betweenExpiriesMs = 5_000;

/** About twenty per second, until stopped. Returns how often each fault happened. */
export function injectFaults({ sandbox, killNextRecord }: TwoServers, seed: number) {
  const random = randomFrom(seed);
  const counts: Record<string, number> = {};
  const over = new AbortController();
  let expiredAtMs = 0;
  const count = (name: string): void => void (counts[name] = (counts[name] ?? 0) + 1);
  const injectOne = (): void => {
    const [name, fault] = faults[Math.floor(random() * (faults.length + 2))] ?? [];
    if (name !== undefined && fault !== undefined) {
      sandbox.faults.add({ ...fault, path: sandbox.callsPath, after: Math.floor(random() * 5) });
      count(name);
    } else if (performance.now() - expiredAtMs > betweenExpiriesMs) {
      expiredAtMs = performance.now();
      sandbox.expireAccess();
      count("expired tokens");
    } else {
      killNextRecord();
      count("kills between write and record");
    }
  };
  const running = (async () => {
    while (!over.signal.aborted) {
      injectOne();
      await sleep(20 + random() * 60);
    }
    sandbox.faults.clear();
  })();
  return {
    async stop(): Promise<Record<string, number>> {
      over.abort();
      await running;
      return counts;
    },
  };
}

/** mulberry32 */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
