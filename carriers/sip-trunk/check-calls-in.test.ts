import { describe, expect, it } from "vitest";

import { openSipTrunk } from "./open-sip-trunk.ts";
import { settings } from "./settings.ts";
import { openSipPeer } from "./testing/sip-peer.ts";
import { freePort } from "./testing/start-program.ts";

const ourNumbers = ["+442079460123"];
const register = { authentication: "register", user: "agent", password: "secret" };
const behindNat = { received: "45.45.45.10" };

/** What a test of the connection says last of the way there and back, where the server says that of how it sees us. */
async function lastCheck(given: object, answer: { status?: number; received?: string } = {}, calledElsewhere = false) {
  const server = await openSipPeer({
    onHeard: (heard) => heard.what !== "ACK" && heard.reply(answer.status ?? 200, answer),
  });
  const place = { host: `127.0.0.1:${server.port}`, transport: "udp", authentication: "ip" };
  const trunk = await openSipTrunk(settings.parse({ ...place, ...given }), { calledElsewhere });
  const checks = await trunk.check?.();
  await trunk.close();
  await server.close();
  return checks?.filter(({ what }) => what !== "Encryption").at(-1);
}
const beCalled = (ok: boolean, sentence: string) => ({
  what: "Be called",
  ok,
  sentence: expect.stringContaining(sentence),
});

describe.concurrent("a test of the connection", () => {
  it("says where calls in come to, for whoever sends them", async () => {
    const localPort = await freePort();
    const told = beCalled(true, `this address for inbound calls: 127.0.0.1:${localPort} over UDP`);
    expect(await lastCheck({ localPort, numbers: ourNumbers })).toEqual(told);
  });

  it("fails where numbers are to ring here and no port is fixed for their calls", async () => {
    expect(await lastCheck({ numbers: ourNumbers })).toEqual(beCalled(false, "To receive calls, enter a local port"));
    expect(await lastCheck({})).toEqual(beCalled(true, "To receive calls, enter a local port"));
  });

  it("tells a public address that it sees, and what to forward", async () => {
    const localPort = await freePort();
    const told = beCalled(
      false,
      `Enter 45.45.45.10 as the public address under Advanced, and forward port ${localPort}`,
    );
    expect(await lastCheck({ localPort }, behindNat)).toEqual(told);
    expect(await lastCheck(register, behindNat)).toEqual(beCalled(true, "enter 45.45.45.10 as the public address"));
  });

  it("fails where the public address is another than the server sees", async () => {
    const typed = { ...register, publicAddress: "45.45.45.9" };
    expect(await lastCheck(typed, behindNat)).toEqual(beCalled(false, "sees this server as 45.45.45.10. Correct"));
  });

  it("says nothing of it where a registration is all that calls need, and where another process is called", async () => {
    expect((await lastCheck(register))?.what).toBe("Sign in");
    expect((await lastCheck({ ...register, publicAddress: "45.45.45.10" }, behindNat))?.what).toBe("Sign in");
    expect((await lastCheck(register, { received: "172.17.0.1" }))?.what).toBe("Sign in");
    expect((await lastCheck({ numbers: ourNumbers }, {}, true))?.what).toBe("Reach it");
  });

  it("fails where the server refuses our address, and says which one it is to let in", async () => {
    const sentence = expect.stringContaining(
      "refuses us (403). Ask your provider to allow this server’s address, 45.45.45.10.",
    );
    expect(await lastCheck({}, { status: 403, ...behindNat })).toEqual({ what: "Sign in", ok: false, sentence });
  });
});
