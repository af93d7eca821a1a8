import { randomUUID } from "node:crypto";

import { openStage } from "@leadline/carrier-sip-trunk/testing/start-callees";
import { startTurnServer } from "@leadline/carrier-sip-trunk/testing/start-turn-server";
import { expect, onTestFinished, test } from "vitest";
import { createTurnClient } from "werift";

import { mediaConfiguration } from "./turn-credentials.ts";

const inside = [
  "0.0.0.1",
  "10.1.2.3",
  "100.64.0.1",
  "127.0.0.2",
  "169.254.169.254",
  "172.16.0.1",
  "192.0.0.170",
  "192.168.1.1",
  "198.18.0.1",
  "224.0.0.251",
  "255.255.255.255",
];

test("coturn as documented relays members to public and media addresses, and to no internal ones", async () => {
  const stage = await openStage();
  onTestFinished(() => stage.close());
  const secret = "shared with nobody else";
  const { url } = await stage.keep(startTurnServer(stage.peers, { folder: stage.folder, secret }));
  const [server] = mediaConfiguration({ urls: [url], secret }, randomUUID()).iceServers;
  const { username = "", credential = "" } = server ?? {};
  const address = ["127.0.0.1", Number(url.split(":").at(-1))] as const;
  const client = await createTurnClient({ address, username, password: credential }, {});
  onTestFinished(() => client.close());
  const isAllowed = (peer: string) =>
    client.getPermission([peer, 9]).then(
      () => true,
      () => false,
    );
  expect(await isAllowed("127.0.0.1")).toBe(true);
  expect(await isAllowed("203.0.113.50")).toBe(true);
  const reached = await Promise.all(inside.map(async (peer) => ((await isAllowed(peer)) ? [peer] : [])));
  expect(reached.flat()).toEqual([]);
});
