import { lookup } from "node:dns/promises";
import { isIP } from "node:net";

import { readRtpDescription } from "@leadline/adapter-kit/rtp/rtp-description";

/** The same description with an address where it names a host: packets are sent to addresses only. */
export async function withAddress(sdp: string): Promise<string> {
  const host = readRtpDescription(sdp)?.host;
  if (host === undefined || isIP(host) !== 0) return sdp;
  const { address, family } = await lookup(host, { order: "ipv4first" });
  return sdp.replaceAll(/^c=IN IP[46] (\S+)/gm, (line, named) =>
    named === host ? `c=IN IP${family} ${address}` : line,
  );
}
