import { isIP } from "node:net";
import type { FastifyRequest } from "fastify";

/** A request's client address: that of its connection, or the one that trusted proxies forwarded. */
export type Addressed = Pick<FastifyRequest, "ip" | "ips">;

/** The farthest forwarded address before any invalid entry; Fastify would accept any text. */
export function addressOf({ ip, ips = [ip] }: Addressed): string {
  const firstText = ips.findIndex((entry, hop) => hop > 0 && !isForwardedAddress(entry));
  return ips.at(firstText < 0 ? -1 : firstText - 1) ?? ip;
}

/** A zone (fe80::1%eth0) only has a meaning on its own machine, and may be any text. */
const isForwardedAddress = (entry: string): boolean => isIP(entry) !== 0 && !entry.includes("%");
