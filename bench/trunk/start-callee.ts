import { join } from "node:path";

import { allowPrivateNetworks } from "@leadline/adapter-kit/outbound/private-networks";
import { placeCall } from "@leadline/adapter-kit/conformance/place-call";
import { openSipTrunk } from "@leadline/carrier-sip-trunk/open-sip-trunk";
import { settings } from "@leadline/carrier-sip-trunk/settings";
import type { Peers } from "@leadline/carrier-sip-trunk/testing/peers-in";
import { freePort } from "@leadline/carrier-sip-trunk/testing/start-program";
import { startSipp, writeTone } from "@leadline/carrier-sip-trunk/testing/start-sipp";
import { readTimes } from "./read-times.ts";

/**
 * SIPp, answering every call with a tone, 40 ms after its INVITE. Its playback thread wakes every 20 ms while it plays,
 * and every 100 ms otherwise: an additional call keeps it awake.
 */
export async function startCallee(peers: Peers, folder: string) {
  await writeTone(folder);
  const port = await freePort();
  const messagesIn = "messages.log";
  const sipp = await startSipp(peers, { folder, scenario: "speak-first", port, messagesIn });
  allowPrivateNetworks(["127.0.0.0/8"]);
  const trunk = await openSipTrunk(
    settings.parse({ host: `127.0.0.1:${port}`, transport: "udp", authentication: "ip" }),
  );
  const secondCall = await placeCall(trunk, "+12025550199");
  await secondCall.answered();
  return {
    port,
    readTimes: () => readTimes(join(folder, messagesIn)),
    async stop(): Promise<void> {
      await secondCall.hangUp();
      await trunk.close();
      await sipp.stop();
    },
  };
}
