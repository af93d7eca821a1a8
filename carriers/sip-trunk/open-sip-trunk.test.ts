import { createSocket } from "node:dgram";
import { once } from "node:events";
import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

import { describe, expect, it } from "vitest";

import { openSipTrunk } from "./open-sip-trunk.ts";
import { settings } from "./settings.ts";
import { freePort, until } from "./testing/start-program.ts";

const slowDns = {
  resolveNaptr: () => Promise.reject(new Error("no answer")),
  resolveSrv: () => Promise.reject(new Error("no answer")),
  resolve6: () => Promise.reject(new Error("no answer")),
  resolve4: () => sleep(400, ["127.0.0.1"]),
};

describe("opening a trunk", () => {
  it("succeeds although a peer sends, connects and disconnects while its address is still looked up", async () => {
    const localPort = await freePort();
    const given = { host: "trunk.test:5999", transport: "tcp", authentication: "ip", allowedPeers: ["127.0.0.1"] };
    const early = createSocket("udp4");
    early.bind(0, "127.0.0.1");
    const speaking = setInterval(() => early.send("OPTIONS sip:x SIP/2.0\r\n\r\n", localPort, "127.0.0.1"), 1);
    const opening = openSipTrunk(settings.parse({ ...given, localPort }), { resolver: slowDns });
    const left = async (): Promise<boolean> => {
      const socket = connect(localPort, "127.0.0.1");
      const there = await once(socket, "connect").then(
        () => true,
        () => false,
      );
      socket.destroy();
      return there;
    };
    await until("a peer came and went", left);
    await sleep(100);
    const trunk = await opening;
    expect(trunk.state?.().level).toBe("starting");
    clearInterval(speaking);
    early.close();
    await trunk.close();
  });
});
