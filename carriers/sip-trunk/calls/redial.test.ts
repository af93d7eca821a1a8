import type { CarrierLegEvent } from "@leadline/adapter-kit/carrier";
import { writeRtpDescription } from "@leadline/adapter-kit/rtp/rtp-description";
import { expect, onTestFinished, test } from "vitest";

import { openSipTrunk } from "../open-sip-trunk.ts";
import { settings } from "../settings.ts";
import { openSipPeer } from "../testing/sip-peer.ts";
import { until } from "../testing/start-program.ts";

const offer = writeRtpDescription({ host: "127.0.0.1", port: 9, codecs: ["PCMU"], telephoneEventType: null });

/** A trunk with two servers, which refuse each call with these statuses. */
async function openRefusingTrunk(...statuses: [number, number]) {
  const peers = await Promise.all(
    statuses.map((status) =>
      openSipPeer({
        onHeard(heard) {
          if (heard.what === "INVITE") heard.reply(status);
          else if (heard.what === "OPTIONS") heard.reply(200);
        },
      }),
    ),
  );
  const host = peers.map(({ port }) => `127.0.0.1:${port}`).join(", ");
  const trunk = await openSipTrunk(settings.parse({ host, transport: "udp", authentication: "ip" }));
  onTestFinished(async () => {
    await trunk.close();
    for (const peer of peers) await peer.close();
  });
  const events: CarrierLegEvent[] = [];
  const dial = (mayRedial: () => Promise<boolean>) =>
    trunk.dial({
      callSid: "CA1",
      to: "+12025550101",
      callerId: null,
      offer,
      mayRedial,
      onEvent: (event) => events.push(event),
    });
  return { peers, events, dial };
}

test("a call goes to the trunk's next server only once it may be dialled again", async () => {
  const { peers, events, dial } = await openRefusingTrunk(503, 486);
  const asked = Promise.withResolvers<void>();
  const permit = Promise.withResolvers<boolean>();
  await dial(() => {
    asked.resolve();
    return permit.promise;
  });
  await asked.promise;
  expect(peers[1]?.heard("INVITE")).toEqual([]);
  permit.resolve(true);
  await until("over", () => events.some(({ type }) => type === "ended"));
  expect(events).toMatchObject([{ type: "ended", cause: { reason: "busy", sip: 486 } }]);
});

test("a call that may not be dialled again ends, and one that was hung up meanwhile isn't sent", async () => {
  const { peers, events, dial } = await openRefusingTrunk(503, 486);
  await dial(async () => false);
  await until("over", () => events.length > 0);
  expect(events).toMatchObject([{ type: "ended", cause: { reason: "network-failure" } }]);
  const permit = Promise.withResolvers<boolean>();
  const asked = Promise.withResolvers<void>();
  const leg = await dial(() => {
    asked.resolve();
    return permit.promise;
  });
  await asked.promise;
  await leg.hangUp();
  permit.resolve(true);
  await permit.promise;
  await dial(async () => false);
  await until("over", () => events.length > 1);
  expect(peers[1]?.heard("INVITE")).toEqual([]);
});
