import { setTimeout as sleep } from "node:timers/promises";
import type { Fault } from "@leadline/crm-sandbox/faults";
import type { SandboxCrm } from "@leadline/crm-sandbox/sandbox-crm";

const common: readonly (readonly [name: string, fault: Fault])[] = [
  ["429 with Retry-After", { status: 429, headers: { "retry-after": "1" } }],
  ["500", { status: 500 }],
  ["503", { status: 503 }],
  ["dropped requests", { drop: true }],
  ["lost responses", { loseAnswer: true }],
  ["slow responses", { delayMs: 400 }],
];
/** Longer than an adapter waits. */
const timeout: Fault = { delayMs: 21_000 };
const betweenFaultsMs = 100;
const betweenRareMs = 4_000;

/**
 * About ten faults a second, and every few seconds one of the rare ones, until stopped. Returns how often each
 * happened.
 */
export function injectFaults(
  sandboxes: readonly SandboxCrm[],
  { seed, killWriter }: { seed: number; killWriter: (which: number) => void },
) {
  const random = randomFrom(seed);
  const pick = <T>(list: readonly T[]): T | undefined => list[Math.floor(random() * list.length)];
  const counts: Record<string, number> = {};
  const count = (name: string): void => void (counts[name] = (counts[name] ?? 0) + 1);
  const over = new AbortController();

  function injectCommon(sandbox: SandboxCrm): void {
    const [name = "", fault = {}] = pick([...common, ...sandbox.limitFaults]) ?? [];
    sandbox.faults.add({ ...fault, path: sandbox.callsPath, after: Math.floor(random() * 5) });
    count(name);
  }

  const rare: readonly (readonly [name: string, happen: (sandbox: SandboxCrm) => void])[] = [
    ["timeouts", (sandbox) => sandbox.faults.add({ ...timeout, path: sandbox.callsPath })],
    ["expired tokens", (sandbox) => sandbox.expireAccess()],
    ["revoked tokens", (sandbox) => sandbox.endAllGrants()],
    ["servers killed", () => killWriter(Math.floor(random() * 1_000))],
  ];

  const running = (async () => {
    for (let rareAtMs = performance.now(); !over.signal.aborted; await sleep(betweenFaultsMs)) {
      const sandbox = pick(sandboxes);
      if (sandbox === undefined) continue;
      injectCommon(sandbox);
      if (performance.now() - rareAtMs < betweenRareMs) continue;
      rareAtMs = performance.now();
      const [name = "", happen] = pick(rare) ?? [];
      happen?.(sandbox);
      count(name);
    }
    for (const sandbox of sandboxes) sandbox.faults.clear();
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
