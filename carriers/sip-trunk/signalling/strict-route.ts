import type { UserAgentCore } from "sip.js/lib/core/index.js";

import { strictMark } from "../transport/sip-text.ts";
import { readNameAddress } from "./verbatim-uri.ts";

export type RequestParts = Parameters<UserAgentCore["makeOutgoingRequestMessage"]>;

/**
 * If the first hop is a strict router (RFC 3261, section 12.2.1.1), the request URI is the hop's, and the request's own
 * target comes last in the route. Otherwise nothing changes.
 */
export function strictlyRouted(parts: RequestParts): RequestParts {
  const [method, target, from, to, options, headers = [], body] = parts;
  const [first, ...others] = options.routeSet ?? [];
  const uri = readNameAddress(first ?? "")?.uri;
  if (!uri || uri.hasParam("lr")) return parts;
  const routeSet = [...others, `<${target.toRaw()}>`];
  return [method, uri, from, to, { ...options, routeSet }, [...headers, strictMark], body];
}
