import type { CarrierCheck } from "@leadline/adapter-kit/carrier";
import { isPublicAddress } from "@leadline/adapter-kit/outbound/public-address";

import type { OptionsAnswer } from "./keep-alive.ts";
import { hostPort } from "./transport/sip-text.ts";
import type { Trunk } from "./trunk.ts";

const what = "Be called";

/** Whether calls can reach this server, judging by a response from the trunk; null if there is nothing to report. */
export async function checkCallsIn(trunk: Trunk, { target, seenAs }: OptionsAnswer): Promise<CarrierCheck | null> {
  const { authentication, localPort, publicAddress, numbers, transport } = trunk.settings;
  const named = await trunk.transport.ourAddress(target.address);
  // A PBX in a container sees its own gateway, which says nothing about our address.
  const seen = seenAs !== null && seenAs !== named && isPublicAddress(seenAs) ? seenAs : null;
  if (seen !== null && publicAddress !== null) {
    const sentence = `${trunk.serverOf(target)} sees this server as ${seen}. Correct the public address under Advanced.`;
    return { what, ok: false, sentence };
  }
  if (authentication === "register")
    return seen === null
      ? null
      : {
          what,
          ok: true,
          sentence: `This server is behind a NAT. If inbound calls or their audio don’t arrive, enter ${seen} as the public address under Advanced.`,
        };
  if (localPort === 0) {
    const sentence =
      "Outbound calls only. To receive calls, enter a local port under Advanced and give it to your provider.";
    return { what, ok: numbers.length === 0, sentence };
  }
  if (seen !== null) {
    const sentence = `This server is behind a NAT. Enter ${seen} as the public address under Advanced, and forward port ${localPort} to this server.`;
    return { what, ok: false, sentence };
  }
  const over = transport === "tcp" ? "TCP" : "UDP";
  return {
    what,
    ok: true,
    sentence: `Give your provider this address for inbound calls: ${hostPort(named, localPort)} over ${over}.`,
  };
}
