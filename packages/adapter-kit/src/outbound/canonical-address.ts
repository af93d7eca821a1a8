import { isIPv6, SocketAddress } from "node:net";

/** As sockets and DNS write it: an IPv6 address has many spellings, and is compared as text. */
export const canonicalAddress = (address: string): string =>
  isIPv6(address) && !address.includes("%") ? new SocketAddress({ address, family: "ipv6" }).address : address;
