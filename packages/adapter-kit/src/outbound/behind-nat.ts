import { BlockList, isIPv4 } from "node:net";

const private4 = new BlockList();
for (const [network, prefix] of [
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["172.16.0.0", 12],
  ["192.168.0.0", 16],
] as const)
  private4.addSubnet(network, prefix, "ipv4");

/** Whether sound of somebody who names this address may come from another: a NAT's (RFC 1918, RFC 6598). */
export const mayBeBehindNat = (address: string): boolean => isIPv4(address) && private4.check(address, "ipv4");
