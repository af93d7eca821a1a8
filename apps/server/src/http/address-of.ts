import { isIP } from "node:net";
import type { FastifyRequest } from "fastify";

/** Of a request: its connection's address, or the address that trusted proxies forwarded. */
export type Addressed = Pick<FastifyRequest, "ip" | "ips">;

/** The farthest address that is forwarded without any other text on the way; Fastify takes whatever text stands there. */
export function addressOf({ ip, ips = [ip] }: Addressed): string {
  const firstText = ips.findIndex((entry, hop) => hop > 0 && !isForwardedAddress(entry));
  return ips.at(firstText < 0 ? -1 : firstText - 1) ?? ip;
}

/** A zone (fe80::1%eth0) says nothing beyond its own machine, and may be any text. */
const isForwardedAddress = (entry: string): boolean => isIP(entry) !== 0 && !entry.includes("%");
