import { BlockList, isIP, isIPv6 } from "node:net";
import { z } from "zod";
import { isPublicAddress } from "./public-address.ts";

/** An IP address, or a network as address/prefix. */
export const Network = z.union([z.cidrv4(), z.cidrv6(), z.ipv4(), z.ipv6()]);

/** Whether an address is in one of these networks. */
export function inNetworks(networks: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const each of networks) {
    const [network = "", prefix] = each.split("/");
    const family = isIPv6(network) ? "ipv6" : "ipv4";
    if (prefix === undefined) list.addAddress(network, family);
    else list.addSubnet(network, Number(prefix), family);
  }
  return (address) => isIP(address) !== 0 && list.check(address, isIPv6(address) ? "ipv6" : "ipv4");
}

let isAllowed = inNetworks([]);

/** Per process: the private networks in which the operator allows carriers. None by default. */
export function allowPrivateNetworks(networks: readonly string[]): void {
  isAllowed = inNetworks(networks);
}

/** Whether a connection that a user has requested may go to this address, whatever name led there. */
export const mayReach = (address: string): boolean => isPublicAddress(address) || isAllowed(address);

const servedHere = new Set<string>();

/** Per process: its own server on this machine, as host:port, that a trunk's settings may name. */
export function serveHere(hostPort: string): void {
  servedHere.add(hostPort);
}

export const isServedHere = (hostPort: string): boolean => servedHere.has(hostPort);
