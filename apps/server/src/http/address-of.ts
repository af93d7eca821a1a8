import { isIP, isIPv6 } from "node:net";
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

/** The network that shares what everyone uses: an IPv6 site often has a whole /48. */
export const siteOf = (ip: string): string => firstGroups(ip, 3);

/** Of 16 bits each, of an IPv6 address. An IPv4 address is returned whole. */
export function firstGroups(ip: string, groups: number): string {
  if (!isIPv6(ip) || ip.startsWith("::ffff:")) return ip.replace("::ffff:", "");
  const [head = "", tail] = ip.split("::");
  const start = head.split(":");
  const end = tail === undefined ? [] : tail.split(":");
  const gap = Array.from({ length: Math.max(0, 8 - start.length - end.length) }, () => "0");
  return [...start, ...gap, ...end].slice(0, groups).join(":");
}
