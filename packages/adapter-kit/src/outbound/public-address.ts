import { BlockList, isIPv4, isIPv6 } from "node:net";

/** IANA's special-purpose address registries, RFC 6890 and its successors, and multicast. */
const reservedV4 = [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 4],
  ["240.0.0.0", 4],
] as const;
/** Within 2000::/3, outside which nothing is public: Teredo and its neighbours, 6to4, documentation. */
const reservedV6 = [
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["3fff::", 20],
] as const;

const reserved = new BlockList();
for (const [network, prefix] of reservedV4) reserved.addSubnet(network, prefix, "ipv4");
for (const [network, prefix] of reservedV6) reserved.addSubnet(network, prefix, "ipv6");
const global = new BlockList();
global.addSubnet("2000::", 3, "ipv6");

/** Whether an IP address is on the public Internet: not this machine, its networks, or a cloud's metadata service. */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !reserved.check(address, "ipv4");
  return isIPv6(address) && global.check(address, "ipv6") && !reserved.check(address, "ipv6");
}
