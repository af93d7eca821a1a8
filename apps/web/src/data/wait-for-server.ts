import { retryPauseMs, waitForNetwork } from "./wait-for-network.ts";

/** Code that fetches many things in a row needn't check before each. */
const freshMs = 5000;
let answeredAt = -Infinity;

async function isThere(): Promise<boolean> {
  if (!navigator.onLine) return false;
  if (performance.now() - answeredAt < freshMs) return true;
  return serverAnswers({ withinMs: 5_000 });
}

export async function serverAnswers({ withinMs }: { withinMs: number }): Promise<boolean> {
  try {
    const response = await fetch("/api/health", { cache: "no-store", signal: AbortSignal.timeout(withinMs) });
    await response.arrayBuffer();
    if (response.ok) answeredAt = performance.now();
    return response.ok;
  } catch {
    return false;
  }
}

/** Resolves once the server responds: immediately, or when the network is back. */
export async function waitForServer(): Promise<void> {
  for (let pauses = 1; !(await isThere()); pauses += 1) await waitForNetwork(retryPauseMs(pauses));
}
