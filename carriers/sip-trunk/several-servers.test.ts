import { readFile } from "node:fs/promises";

import type { InboundCall } from "@leadline/adapter-kit/carrier";
import { writeRtpDescription } from "@leadline/adapter-kit/rtp/rtp-description";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { openSipTrunk } from "./open-sip-trunk.ts";
import { settings } from "./settings.ts";
import type { Heard } from "./testing/heard.ts";
import { makeCertificate } from "./testing/make-certificate.ts";
import { openSipPeer, openTcpPeer } from "./testing/sip-peer.ts";
import { account, openStage, type Stage } from "./testing/start-callees.ts";
import { startDns } from "./testing/start-dns.ts";
import { freePort, until } from "./testing/start-program.ts";
import { startRegistrar } from "./testing/start-registrar.ts";

const answersOptions = (heard: Heard): void => void (heard.what === "OPTIONS" && heard.reply(200));
const trunkAt = (host: string, rest: object = {}) => ({
  ...settings.parse({ host, transport: "udp", authentication: "ip", ...rest }),
  keepAliveSeconds: 1,
});

describe.concurrent("a trunk with several servers", () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage();
  });
  afterAll(() => stage.close());

  it("addresses each under its own name, with the user at the first one's domain", async () => {
    const [one, two] = await Promise.all([1, 2].map(() => openSipPeer({ onHeard: answersOptions })));
    const trunk = await openSipTrunk(trunkAt(`127.0.0.1:${one?.port}, 127.0.0.1:${two?.port}`));
    await until("working", () => trunk.state?.().level === "working");
    const [asked] = two?.heard("OPTIONS") ?? [];
    expect(asked?.text).toMatch(new RegExp(`^OPTIONS sip:127.0.0.1:${two?.port} SIP/2.0\r\n`));
    expect(asked?.header("from")).toContain(`<sip:leadline@127.0.0.1:${one?.port}>`);
    expect(asked?.header("to")).toBe(`<sip:127.0.0.1:${one?.port}>`);
    await trunk.close();
    await one?.close();
    await two?.close();
  });

  it("registers with the next server if its registrar goes silent", async () => {
    const [one, two] = await Promise.all([1, 2].map(() => startRegistrar({ answer: () => ({ status: 200 }) })));
    const host = `127.0.0.1:${one?.port}, 127.0.0.1:${two?.port}`;
    const trunk = await openSipTrunk(trunkAt(host, { authentication: "register", ...account }));
    await until("working", () => trunk.state?.().level === "working");
    expect(trunk.state?.().sentence).toBe(`Registered at 127.0.0.1:${one?.port}.`);
    expect(two?.registers).toEqual([]);
    await one?.close();
    await until("registered there", () => two?.registers.length === 1, 30_000);
    await until("known", () => trunk.state?.().level === "partly");
    expect(trunk.state?.().sentence).toBe("Registered, but 1 of 2 servers does not answer.");
    await trunk.close();
    await two?.close();
  });

  it("is down if none of them responds", async () => {
    const host = `127.0.0.1:${await freePort()}, 127.0.0.1:${await freePort()}`;
    const trunk = await openSipTrunk(trunkAt(host, { transport: "tcp" }));
    await until("asked", () => trunk.state?.().level === "down");
    expect(trunk.state?.().sentence).toBe(`None of ${host} answers. We keep trying.`);
    await trunk.close();
    const dns = await startDns([]);
    const unknown = await openSipTrunk(trunkAt("one.test, two.test"), { resolver: dns.resolver });
    await until("asked", () => unknown.state?.().level === "down");
    expect(unknown.state?.().sentence).toBe("None of one.test, two.test has an address. Check the server’s name.");
    await unknown.close();
    dns.close();
  });

  it("reports in a test which of them respond, and which names are unknown", async () => {
    const peer = await openSipPeer({ onHeard: answersOptions });
    const silent = [await freePort(), await freePort()].map((port) => `127.0.0.1:${port}`);
    const dns = await startDns([]);
    const host = `nowhere.test, ${silent.join()}, 127.0.0.1:${peer.port}`;
    const trunk = await openSipTrunk(trunkAt(host), { resolver: dns.resolver });
    const [found, reached] = (await trunk.check?.()) ?? [];
    const answering = `127.0.0.1:${peer.port}`;
    const where = [...silent, answering].map((each) => `${each} over UDP`).join(", else to ");
    expect(found?.sentence).toBe(`Calls go to ${where}. No address is known for nowhere.test.`);
    expect(reached).toMatchObject({ ok: true, sentence: expect.stringMatching(/^\S+ answered in \d+ ms\. /) });
    expect(reached?.sentence).toContain(`${answering} answered`);
    expect(reached?.sentence).toContain(`${silent.join(", ")} do not answer; calls go to the others.`);
    expect(trunk.state?.().sentence).toBe("Connected, but 3 of 4 servers do not answer.");
    await trunk.close();
    await peer.close();
    dns.close();
  });

  it("is reached over TLS if each certificate names its own server", async () => {
    const certificate = await makeCertificate(stage.peers, stage.folder, "two.test");
    const [key, cert] = await Promise.all([
      readFile(certificate.key, "utf8"),
      readFile(certificate.certificate, "utf8"),
    ]);
    const peer = await openTcpPeer({ onHeard: answersOptions, tls: { key, cert } });
    const dns = await startDns(["one.test", "two.test"].map((name) => ({ name, type: "A", address: "127.0.0.1" })));
    const stateOf = async (host: string): Promise<string | undefined> => {
      const secure = { transport: "tls", certificateAuthority: certificate.authority };
      const trunk = await openSipTrunk(trunkAt(host, secure), { resolver: dns.resolver });
      await until("asked", () => trunk.state?.().level !== "starting");
      const { level } = trunk.state?.() ?? {};
      await trunk.close();
      return level;
    };
    const closed = await freePort();
    expect(await stateOf(`one.test:${closed}, two.test:${peer.port}`)).toBe("partly");
    expect(await stateOf(`two.test:${closed}, one.test:${peer.port}`)).toBe("down");
    await peer.close();
    dns.close();
  });

  it("accepts calls from any of them", async () => {
    const localPort = await freePort();
    const calls: InboundCall[] = [];
    const listener = { onState: () => {}, onInbound: (call: InboundCall) => void calls.push(call) };
    const hosts = ["127.0.0.2", "127.0.0.3", "127.0.0.4"];
    const peers = await Promise.all(hosts.map((host) => openSipPeer({ host, onHeard: answersOptions })));
    const host = peers
      .slice(0, 2)
      .map(({ port }, i) => `${hosts[i]}:${port}`)
      .join();
    const trunk = await openSipTrunk(trunkAt(host, { localPort }), { listener });
    const body = writeRtpDescription({ host: "127.0.0.1", port: 9, codecs: ["PCMU"], telephoneEventType: null });
    // The stranger first.
    for (const peer of peers.toReversed()) peer.sendCall(localPort, "INVITE", { callId: `call-of-${peer.port}`, body });
    const [one, two, stranger] = peers;
    await until("both", () => [one, two].every((peer) => peer?.heard("100").length === 1));
    expect([calls.length, stranger?.heard("100").length]).toEqual([2, 0]);
    await trunk.close();
    await Promise.all(peers.map((peer) => peer.close()));
  });
});
