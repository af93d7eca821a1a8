import { BlockList, isIPv4 } from "node:net";

const private4 = new BlockList();
for (const [network, prefix] of [
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["172.16.0.0", 12],
  ["192.168.0.0", 16],
] as const)
  private4.addSubnet(network, prefix, "ipv4");

/** Whether a peer that names this address may send audio from another one: behind a NAT (RFC 1918, RFC 6598). */
export const mayBeBehindNat = (address: string): boolean => isIPv4(address) && private4.check(address, "ipv4");
