import { placeCall } from "@leadline/adapter-kit/conformance/place-call";
import { writeRtpDescription } from "@leadline/adapter-kit/rtp/rtp-description";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";

import { openSipTrunk } from "./open-sip-trunk.ts";
import { settings } from "./settings.ts";
import { freePort, until } from "./testing/start-program.ts";
import { type RawPeer, startRawPeer } from "./testing/start-raw-peer.ts";

const body = writeRtpDescription({ host: "127.0.0.1", port: 9, codecs: ["PCMU"], telephoneEventType: null });
const account = { authentication: "register", user: "agent", password: "secret" } as const;
const openAt = (peer: RawPeer, rest: object = {}) =>
  openSipTrunk({
    ...settings.parse({ host: `127.0.0.1:${peer.port}`, transport: "udp", authentication: "ip", ...rest }),
    keepAliveSeconds: 1,
  });
/** Long enough for the keep-alive to notice that a trunk doesn't answer OPTIONS. */
const pastTheKeepAlive = () => sleep(7_000);

/** Answers the next INVITE after this delay, without a provisional response. */
async function answerLate(peer: RawPeer, afterMs: number): Promise<void> {
  const invite = await peer.next("INVITE");
  await sleep(afterMs);
  peer.reply(invite, "200 OK", { body });
  const bye = await peer.next("BYE", { withinMs: 30_000 });
  peer.reply(bye, "200 OK");
}

describe.concurrent("a trunk that ignores OPTIONS", () => {
  it("works while it is registered with, passes the test and puts through calls that are answered slowly", async () => {
    const peer = await startRawPeer({ answersKeepAlive: false });
    const registering = peer.next("REGISTER");
    const trunk = await openAt(peer, account);
    peer.reply(await registering, "200 OK", { headers: ["Expires: 300"] });
    await until("working", () => trunk.state?.().level === "working");
    await pastTheKeepAlive();
    expect(trunk.state?.()).toEqual({ level: "working", sentence: `Registered at 127.0.0.1:${peer.port}.` });
    const answering = answerLate(peer, 9_000);
    const call = await placeCall(trunk, "+12025550101");
    await call.answered(20_000);
    await call.hangUp();
    await answering;
    const checking = trunk.check?.();
    peer.reply(await peer.next("REGISTER"), "200 OK", { headers: ["Expires: 300"] });
    const checks = await checking;
    expect(checks?.filter(({ ok }) => !ok)).toEqual([]);
    expect(checks?.find(({ what }) => what === "Sign in")?.ok).toBe(true);
    expect(checks?.find(({ what }) => what === "Reach it")?.sentence).toContain("it answered our registration");
    await trunk.close();
    await peer.close();
  });

  it("isn't called unreachable by the test of a process beside the one that registers", async () => {
    const peer = await startRawPeer({ answersKeepAlive: false });
    const given = { host: `127.0.0.1:${peer.port}`, transport: "udp" as const, ...account };
    const beside = await openSipTrunk(settings.parse(given), { calledElsewhere: true });
    const checks = await beside.check?.();
    expect(checks?.filter(({ ok }) => !ok)).toEqual([]);
    const sentence = expect.stringMatching(/doesn’t answer OPTIONS\. Another process of this server registers there/);
    expect(checks).toContainEqual({ what: "Reach it", ok: true, sentence });
    await beside.close();
    await peer.close();
  });

  it("is distinguished from a wrong password by the test", async () => {
    const peer = await startRawPeer({ answersKeepAlive: false });
    const registering = peer.next("REGISTER");
    const trunk = await openAt(peer, account);
    peer.reply(await registering, "403 Forbidden");
    await until("refused", () => trunk.state?.().level === "down");
    const checking = trunk.check?.();
    peer.reply(await peer.next("REGISTER"), "403 Forbidden");
    const checks = (await checking) ?? [];
    expect(checks.map(({ what, ok }) => [what, ok])).toEqual([
      ["Find the server", true],
      ["Reach it", true],
      ["Sign in", false],
    ]);
    expect(checks[2]?.sentence).toContain("Check the user and the password.");
    await trunk.close();
    await peer.close();
  });

  it("also puts calls through without registration, and works from the first response to a call", async () => {
    const peer = await startRawPeer({ answersKeepAlive: false });
    const trunk = await openAt(peer);
    await pastTheKeepAlive();
    const answering = answerLate(peer, 9_000);
    const call = await placeCall(trunk, "+12025550101");
    await call.answered(20_000);
    expect(trunk.state?.().level).toBe("working");
    await call.hangUp();
    await answering;
    await pastTheKeepAlive();
    expect(trunk.state?.().level).toBe("working");
    const reached = (await trunk.check?.())?.find(({ what }) => what === "Reach it");
    expect(reached).toMatchObject({ ok: true, sentence: expect.stringContaining("doesn’t answer OPTIONS") });
    await trunk.close();
    await peer.close();
  });

  it.each(["486 Busy Here", "603 Decline", "500 Server Error"])(
    "works if it refuses a call with %s",
    async (status) => {
      const peer = await startRawPeer({ answersKeepAlive: false });
      const trunk = await openAt(peer);
      await until("found silent", () => trunk.state?.().level === "partly");
      const inviting = peer.next("INVITE");
      const call = await placeCall(trunk, "+12025550101");
      peer.reply(await inviting, status);
      await call.ended();
      expect(trunk.state?.().level).toBe("working");
      call.endpoint.close();
      await trunk.close();
      await peer.close();
    },
  );

  it("works once a request of its own arrives", async () => {
    const peer = await startRawPeer({ answersKeepAlive: false });
    const localPort = await freePort();
    const trunk = await openAt(peer, { localPort });
    await until("found silent", () => trunk.state?.().level === "partly");
    const place = { address: "127.0.0.1", port: localPort };
    peer.send(peer.write("OPTIONS", place, { callId: "theirs" }), place);
    await peer.next("200");
    expect(trunk.state?.().level).toBe("working");
    const checking = trunk.check?.();
    peer.send(peer.write("OPTIONS", place, { callId: "again" }), place);
    const reached = (await checking)?.find(({ what }) => what === "Reach it");
    const sentence = `127.0.0.1:${peer.port} doesn’t answer OPTIONS, which is fine: it has sent us other messages.`;
    expect(reached).toEqual({ what: "Reach it", ok: true, sentence });
    await trunk.close();
    await peer.close();
  });
});

describe.concurrent("a trunk whose keep-alive is off", () => {
  it("is sent no OPTIONS, places calls, and says that it has not been checked", async () => {
    const peer = await startRawPeer({ answersKeepAlive: false });
    const trunk = await openAt(peer, { keepAlive: "off" });
    expect(trunk.state?.()).toEqual({
      level: "working",
      sentence: `Ready to call through 127.0.0.1:${peer.port}, which isn’t checked.`,
    });
    const answering = answerLate(peer, 9_000);
    const call = await placeCall(trunk, "+12025550101");
    await call.answered(20_000);
    expect(trunk.state?.().sentence).toBe(`Connected at 127.0.0.1:${peer.port}.`);
    await call.hangUp();
    await answering;
    expect(peer.all("OPTIONS")).toEqual([]);
    await trunk.close();
    await peer.close();
  });
});

describe.concurrent("a trunk whose requests can't be written", () => {
  it.each(["register", "digest"] as const)("is down with %s, and the process goes on", async (authentication) => {
    const peer = await startRawPeer({ answersKeepAlive: false });
    const trunk = await openSipTrunk({
      ...settings.parse({ host: `127.0.0.1:${peer.port}`, transport: "udp", ...account, authentication }),
      keepAliveSeconds: 1,
      user: "100%",
    });
    await until("down", () => trunk.state?.().level === "down");
    expect(trunk.state?.().sentence).toContain(`127.0.0.1:${peer.port}`);
    await trunk.close();
    await peer.close();
  });
});
