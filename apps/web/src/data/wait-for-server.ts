import { retryPauseMs, waitForNetwork } from "./wait-for-network.ts";

async function isThere(): Promise<boolean> {
  if (!navigator.onLine) return false;
  try {
    const response = await fetch("/api/health", { cache: "no-store", signal: AbortSignal.timeout(5000) });
    return response.ok;
  } catch {
    return false;
  }
}

/** Resolves once the server answers: at once, or when the network is back. */
export async function waitForServer(): Promise<void> {
  for (let pauses = 1; !(await isThere()); pauses += 1) await waitForNetwork(retryPauseMs(pauses));
}
