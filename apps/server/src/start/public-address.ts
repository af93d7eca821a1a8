import { lookup } from "node:dns/promises";
import { isPublicAddress } from "@leadline/adapter-kit/outbound/public-address";

/** Where the Internet reaches this server, according to PUBLIC_URL. Null if nowhere; rejects if that can't be looked up. */
export const readPublicAddress = (publicUrl: URL | null) => async (): Promise<string | null> => {
  if (publicUrl === null) return null;
  // Vendors call IPv4 addresses, and a trunk's signalling and audio must both arrive there.
  const found = await lookup(publicUrl.hostname.replace(/^\[|\]$/g, ""), { family: 4 });
  return isPublicAddress(found.address) ? found.address : null;
};
