import type { Endpoint } from "@leadline/contract/endpoint";
import type { Route } from "./route.ts";

/** Throws at startup if the contract and the handlers differ: each entry needs exactly one handler. */
export function checkRoutes(endpoints: Record<string, Endpoint>, routes: readonly Route[]): void {
  const faults: string[] = [];
  const handled = routes.map((route) => route.endpoint);
  for (const [name, endpoint] of Object.entries(endpoints)) {
    const count = handled.filter((candidate) => candidate === endpoint).length;
    if (count === 0) faults.push(`${name} (${describe(endpoint)}) has no handler`);
    if (count > 1) faults.push(`${name} (${describe(endpoint)}) has ${count} handlers`);
  }
  const known = new Set<Endpoint>(Object.values(endpoints));
  for (const endpoint of handled) {
    if (!known.has(endpoint)) faults.push(`${describe(endpoint)} is handled but not in the contract's endpoints`);
  }
  if (faults.length > 0) throw new Error(`The API does not match its contract:\n${faults.join("\n")}`);
}

const describe = (endpoint: Endpoint): string => `${endpoint.method} ${endpoint.path}`;
