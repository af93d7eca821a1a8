import type { URI } from "sip.js/lib/grammar/index.js";

import { readNameAddress } from "./verbatim-uri.ts";

/**
 * How to route a request if the first hop is a strict router (RFC 3261, section 12.2.1.1): its request URI is the
 * hop's, and its own target comes last in the route. Null if the first hop is loose or missing.
 */
export function strictlyRouted(target: URI, routeSet: readonly string[]): { uri: URI; routeSet: string[] } | null {
  const [first, ...others] = routeSet;
  const uri = readNameAddress(first ?? "")?.uri;
  if (!uri || uri.hasParam("lr")) return null;
  return { uri, routeSet: [...others, `<${target.toRaw()}>`] };
}
