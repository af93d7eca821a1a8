import { placeCall } from "@leadline/adapter-kit/conformance/place-call";
import { purestShareAt } from "@leadline/adapter-kit/conformance/tone";
import { expect, it } from "vitest";

import { openSipTrunk } from "../open-sip-trunk.ts";
import { settings } from "../settings.ts";
import { startRawPeer } from "./start-raw-peer.ts";
import { startRawRtp } from "./start-raw-rtp.ts";

it.each([false, true])("a raw peer answers a call, sends audio and receives it (over TCP: %s)", async (tcp) => {
  const peer = await startRawPeer({ tcp });
  const rtp = await startRawRtp();
  const host = `127.0.0.1:${peer.port}`;
  const trunk = await openSipTrunk(settings.parse({ host, transport: tcp ? "tcp" : "udp", authentication: "ip" }));
  const call = await placeCall(trunk, "+12025550101");
  const invite = await peer.next("INVITE");
  peer.reply(invite, "200 OK", { body: rtp.describe() });
  await peer.next("ACK");
  await call.answered();
  call.endpoint.sendTone(440);
  const to = { address: "127.0.0.1", port: call.endpoint.port };
  const [here, there] = await Promise.all([
    call.endpoint.listen(1_000),
    rtp.listen(1_000),
    rtp.sendTone({ to, hz: 700, ms: 1_000 }),
  ]);
  expect(purestShareAt(700, here)).toBeGreaterThan(0.9);
  expect(purestShareAt(440, there)).toBeGreaterThan(0.9);
  peer.request(peer.asCallee(invite), "BYE", { cseq: 1 });
  expect((await peer.next((message) => message.header("cseq") === "1 BYE")).what).toBe("200");
  expect(call.kinds()).toBe("answered ended");
  call.endpoint.close();
  await trunk.close();
  rtp.close();
  await peer.close();
});
