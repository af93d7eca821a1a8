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
/** Longer than a usual retry takes to come. */
const late: Fault = { carriedOutAfterMs: 5_000 };
/** More than the requests of one pause. */
const longLimit: Fault = { status: 429, headers: { "retry-after": "15" }, times: 30 };
/** Of each rare fault, for a run that counts. */
export const minOfEach = 2;
const betweenFaultsMs = 100;
/** They would add up while a CRM is paused. */
const maxPending = 5;

/** About ten common faults a second until stopped, and each rare one when asked. Counts how often each happened. */
export function injectFaults(
  sandboxes: readonly SandboxCrm[],
  { seed, killWriter }: { seed: number; killWriter: (which: number) => void },
) {
  const random = randomFrom(seed);
  const pick = <T>(list: readonly T[]): T | undefined => list[Math.floor(random() * list.length)];
  const counts: Record<string, number> = {};
  const count = (name: string): void => void (counts[name] = (counts[name] ?? 0) + 1);
  const pending = new Map<SandboxCrm, number>();
  const over = new AbortController();

  function inject(sandbox: SandboxCrm, name: string, fault: Fault): void {
    pending.set(sandbox, (pending.get(sandbox) ?? 0) + 1);
    let isFirst = true;
    const taken = (): void => {
      if (!isFirst) return;
      isFirst = false;
      count(name);
      pending.set(sandbox, (pending.get(sandbox) ?? 0) - 1);
    };
    sandbox.faults.add({ ...fault, path: sandbox.callsPath, taken });
  }

  function injectCommon(sandbox: SandboxCrm): void {
    if ((pending.get(sandbox) ?? 0) >= maxPending) return;
    const [name = "", fault = {}] = pick([...common, ...sandbox.limitFaults]) ?? [];
    inject(sandbox, name, { ...fault, after: Math.floor(random() * 5) });
  }

  const rare: readonly (readonly [name: string, happen: (sandbox: SandboxCrm, name: string) => void])[] = [
    ["timeouts", (sandbox, name) => inject(sandbox, name, timeout)],
    ["requests carried out late", (sandbox, name) => inject(sandbox, name, late)],
    ["limits that last", (sandbox, name) => inject(sandbox, name, longLimit)],
    ["expired tokens", (sandbox, name) => [sandbox.expireAccess(), count(name)]],
    ["revoked tokens", (sandbox, name) => [sandbox.endAllGrants(), count(name)]],
    ["servers killed", (_, name) => [killWriter(Math.floor(random() * 1_000)), count(name)]],
  ];

  const running = (async () => {
    for (; !over.signal.aborted; await sleep(betweenFaultsMs)) {
      const sandbox = pick(sandboxes);
      if (sandbox !== undefined) injectCommon(sandbox);
    }
    for (const sandbox of sandboxes) sandbox.faults.clear();
  })();
  return {
    rareKinds: rare.length,
    /** The rare faults in turn, each at one CRM after the other. */
    injectRare(turn: number): void {
      const [name = "", happen] = rare[turn % rare.length] ?? [];
      const sandbox = sandboxes[Math.floor(turn / rare.length) % sandboxes.length];
      if (sandbox !== undefined) happen?.(sandbox, name);
    },
    async stop(): Promise<{ counts: Record<string, number>; missing: string[] }> {
      over.abort();
      await running;
      return { counts, missing: rare.flatMap(([name]) => ((counts[name] ?? 0) < minOfEach ? [name] : [])) };
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
