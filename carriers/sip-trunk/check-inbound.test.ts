import { describe, expect, it } from "vitest";

import { openSipTrunk } from "./open-sip-trunk.ts";
import { settings } from "./settings.ts";
import { openSipPeer } from "./testing/sip-peer.ts";
import { freePort } from "./testing/start-program.ts";

const ourNumbers = ["+442079460123"];
const register = { authentication: "register", user: "agent", password: "secret" };
const behindNat = { received: "45.45.45.10" };

/** The last check of the path there and back, for a server that sees us like this. */
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

describe.concurrent("a connection test", () => {
  it("says where inbound calls must be sent, whoever sends them", async () => {
    const localPort = await freePort();
    const told = beCalled(true, `this address for inbound calls: 127.0.0.1:${localPort} over UDP`);
    expect(await lastCheck({ localPort, numbers: ourNumbers })).toEqual(told);
  });

  it("fails if numbers should ring here and no port is fixed for them", async () => {
    expect(await lastCheck({ numbers: ourNumbers })).toEqual(beCalled(false, "To receive calls, enter a local port"));
    expect(await lastCheck({})).toEqual(beCalled(true, "To receive calls, enter a local port"));
  });

  it("shows the public address that the server sees, and what to forward", async () => {
    const localPort = await freePort();
    const told = beCalled(
      false,
      `Enter 45.45.45.10 as the public address under Advanced, and forward port ${localPort}`,
    );
    expect(await lastCheck({ localPort }, behindNat)).toEqual(told);
    expect(await lastCheck(register, behindNat)).toEqual(beCalled(true, "enter 45.45.45.10 as the public address"));
  });

  it("fails if the server sees another public address than the configured one", async () => {
    const typed = { ...register, publicAddress: "45.45.45.9" };
    expect(await lastCheck(typed, behindNat)).toEqual(beCalled(false, "sees this server as 45.45.45.10. Correct"));
  });

  it("says nothing about it if registration is all that calls need, or another process receives them", async () => {
    expect((await lastCheck(register))?.what).toBe("Sign in");
    expect((await lastCheck({ ...register, publicAddress: "45.45.45.10" }, behindNat))?.what).toBe("Sign in");
    expect((await lastCheck(register, { received: "172.17.0.1" }))?.what).toBe("Sign in");
    expect((await lastCheck({ numbers: ourNumbers }, {}, true))?.what).toBe("Reach it");
  });

  it("fails if the server refuses our address, and says which one to allow", async () => {
    const sentence = expect.stringContaining(
      "refuses us (403). Ask your provider to allow this server’s address, 45.45.45.10.",
    );
    expect(await lastCheck({}, { status: 403, ...behindNat })).toEqual({ what: "Sign in", ok: false, sentence });
  });
});
