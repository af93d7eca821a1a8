import type { InboundCall } from "@leadline/adapter-kit/carrier";
import { writeRtpDescription } from "@leadline/adapter-kit/rtp/rtp-description";
import { expect, it } from "vitest";

import { openSipTrunk } from "../open-sip-trunk.ts";
import { settings } from "../settings.ts";
import { freePort } from "../testing/start-program.ts";
import { startRawPeer } from "../testing/start-raw-peer.ts";

const body = writeRtpDescription({ host: "127.0.0.1", port: 9, codecs: ["PCMU"], telephoneEventType: null });

it("a call over the limit is refused with 503 and Retry-After", async () => {
  const peer = await startRawPeer();
  const place = { address: "127.0.0.1", port: await freePort() };
  const given = { host: `127.0.0.1:${peer.port}`, transport: "udp", authentication: "ip", localPort: place.port };
  const onInbound = (call: InboundCall): void => call.refuse("overloaded");
  const trunk = await openSipTrunk(settings.parse(given), { listener: { onState: () => {}, onInbound } });
  peer.send(peer.write("INVITE", place, { callId: "one-too-many", body }), place);
  const refusal = await peer.next("503");
  expect(Number(refusal.header("retry-after"))).toBeGreaterThan(0);
  await trunk.close();
  await peer.close();
});
