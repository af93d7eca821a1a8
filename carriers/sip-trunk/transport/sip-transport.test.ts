import { createSocket } from "node:dgram";
import { once } from "node:events";
import { connect, createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

import { afterEach, describe, expect, it } from "vitest";

import { openSipPeer } from "../testing/sip-peer.ts";
import { createSipTrace } from "../sip-trace.ts";
import { freePort, takesConnections, until } from "../testing/start-program.ts";
import { openSipTransport, type SipTransportOptions } from "./sip-transport.ts";
import { logDropped } from "./log-dropped.ts";
import { createStreams } from "./streams.ts";
import { openUdp } from "./udp.ts";

const noDns = {
  resolveNaptr: () => Promise.resolve([]),
  resolveSrv: () => Promise.resolve([]),
  resolve4: () => Promise.resolve([]),
  resolve6: () => Promise.resolve([]),
};
const openSockets = (): number => process.getActiveResourcesInfo().filter((name) => name === "UDPWrap").length;
const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

async function open(options: Partial<SipTransportOptions> = {}) {
  const heard: string[] = [];
  const transport = await openSipTransport({
    resolver: noDns,
    publicAddress: null,
    localPort: 0,
    listensOnTcp: false,
    ca: null,
    isAllowed: () => false,
    isExpected: () => false,
    onMessage(text) {
      heard.push(text.split("\r\n")[0] ?? "");
      return null;
    },
    trace: createSipTrace(),
    onConnectionClosed: () => {},
    ...options,
  });
  closers.push(() => transport.close());
  return { transport, heard };
}

/** A request within one of our dialogs, to that URI. */
const within = (uri: string, branch = "z9hG4bKown"): string =>
  [
    `BYE ${uri} SIP/2.0`,
    `Via: SIP/2.0/UDP trunk.invalid;branch=${branch};rport`,
    "From: <sip:agent@example.com>;tag=ours",
    "To: <sip:peer@example.com>;tag=theirs",
    "Call-ID: one",
    "CSeq: 2 BYE",
    "Content-Length: 0",
    "",
    "",
  ].join("\r\n");

describe("a trunk's transport that can't be opened", () => {
  it("leaves no socket behind if its port is taken", async () => {
    const taken = createSocket("udp4");
    const listening = once(taken, "listening");
    taken.bind(0);
    await listening;
    closers.push(() => taken.close());
    const before = openSockets();
    const { port } = taken.address();
    for (let i = 0; i < 5; i++)
      await expect(openUdp({ port, onMessage() {}, isKnown: () => true })).rejects.toThrow("EADDRINUSE");
    await sleep(50);
    expect(openSockets()).toBeLessThanOrEqual(before);
  });

  it("leaves no socket behind if its port is taken over TCP only", async () => {
    const localPort = await freePort();
    const taken = createServer();
    taken.listen(localPort);
    await once(taken, "listening");
    closers.push(() => taken.close());
    const before = openSockets();
    await expect(open({ localPort, listensOnTcp: true })).rejects.toThrow("EADDRINUSE");
    await sleep(50);
    expect(openSockets()).toBeLessThanOrEqual(before);
  });

  it("leaves no socket behind if an address has no route", async () => {
    const { transport } = await open();
    const before = openSockets();
    // Only with SO_BROADCAST.
    for (let i = 0; i < 5; i++) await expect(transport.ourAddress("255.255.255.255")).rejects.toThrow("EACCES");
    await sleep(50);
    expect(openSockets()).toBeLessThanOrEqual(before);
  });
});

describe("the addresses that a trunk's transport accepts", () => {
  it("include the destination of a call of ours, but only for that call", async () => {
    const { transport, heard } = await open();
    const stranger = await openSipPeer({ host: "127.0.0.2", onHeard: (request) => request.reply(200) });
    closers.push(() => stranger.close());
    await transport.send(within(`sip:peer@127.0.0.2:${stranger.port}`));
    await until("the answer", () => heard.length === 1);
    stranger.sendCall(transport.port, "INVITE", { callId: "two" });
    stranger.sendCall(transport.port, "BYE", { callId: "one", toTag: "ours" });
    await until("the dialog's own", () => heard.length >= 2);
    await sleep(100);
    expect(heard).toEqual(["SIP/2.0 200 Said", "BYE sip:+442079460123@127.0.0.1:" + transport.port + " SIP/2.0"]);
  });

  it("don't depend on a tag in To: what belongs to no call of ours is rate limited per peer", async () => {
    const { transport, heard } = await open({ isExpected: (head) => head.includes("Call-ID: ours") });
    const [flooding, other] = await Promise.all(
      ["127.0.0.1", "127.0.0.2"].map((host) => openSipPeer({ host, onHeard: () => {} })),
    );
    transport.admit(["127.0.0.1", "127.0.0.2"]);
    closers.push(
      () => flooding?.close(),
      () => other?.close(),
    );
    const to = transport.port;
    const beganMs = performance.now();
    for (let i = 0; i < 300; i++) {
      flooding?.sendCall(to, "INVITE", { callId: `flood${i}`, toTag: "x" });
      if (i % 50 === 0) await sleep(5);
    }
    // Each turn of the event loop reads some of them: none may be left when the count is taken.
    for (let turn = 0; turn < 40; turn++) await sleep(5);
    // At least the calls that an organisation may get in a minute: those over its limit are answered.
    expect(heard.length).toBeGreaterThan(120);
    expect(heard.length).toBeLessThanOrEqual(200 + 50 * ((performance.now() - beganMs) / 1_000));
    const before = heard.length;
    flooding?.sendCall(to, "BYE", { callId: "ours", toTag: "x" });
    other?.sendCall(to, "INVITE", { callId: "other" });
    await until("our call's own and another peer's", () => heard.length === before + 2, 30_000);
  });
});

describe("a far end that floods one of our calls", () => {
  it("is limited, and no response to a request of ours is dropped", async () => {
    const { transport, heard } = await open({ isExpected: () => true });
    const peer = await openSipPeer({
      host: "127.0.0.2",
      onHeard: (request) => [100, 200].forEach((status) => request.reply(status)),
    });
    closers.push(() => peer.close());
    transport.admit(["127.0.0.2"]);
    const beganMs = performance.now();
    for (let i = 0; i < 1_500; i++) {
      peer.sendCall(transport.port, "INFO", { callId: "one", toTag: "ours", cseq: i });
      if (i % 30 === 0) await sleep(2);
    }
    for (let i = 0; i < 30; i++) await transport.send(within(`sip:peer@127.0.0.2:${peer.port}`, `z9hG4bKown${i}`));
    await until("every response", () => heard.filter((line) => line.startsWith("SIP/2.0")).length === 60);
    const seconds = (performance.now() - beganMs) / 1_000;
    const taken = heard.filter((line) => line.startsWith("INFO")).length;
    expect(taken).toBeGreaterThanOrEqual(400);
    expect(taken).toBeLessThanOrEqual(400 + 200 * seconds);
  });

  it("is limited if it repeats its response, too", async () => {
    const { transport, heard } = await open({ isExpected: () => true });
    const peer = await openSipPeer({ host: "127.0.0.2", onHeard: () => {} });
    closers.push(() => peer.close());
    await transport.send(within(`sip:peer@127.0.0.2:${peer.port}`));
    await until("the request", () => peer.all.length > 0);
    const beganMs = performance.now();
    for (let i = 0; i < 1_500; i++) {
      peer.all[0]?.reply(180);
      if (i % 30 === 0) await sleep(2);
    }
    await until("the limit", () => heard.length >= 420);
    expect(heard.length).toBeLessThanOrEqual(420 + 200 * ((performance.now() - beganMs) / 1_000));
  });
});

describe("messages that are dropped unread in a flood", () => {
  it("hide no other sender's dropped message from the log", async () => {
    const logged: string[] = [];
    const trace = logDropped(createSipTrace(), ({ from }) => void logged.push(from.split(":")[0] ?? ""));
    const { transport } = await open({ trace });
    // A call of ours has led there: it is read, and may not start a call.
    const peerAt = async (host: string) => {
      const peer = await openSipPeer({ host, onHeard: (request) => request.reply(200) });
      closers.push(() => peer.close());
      await transport.send(within(`sip:peer@${host}:${peer.port}`, `z9hG4bK${peer.port}`));
      return peer;
    };
    const [flooding, other] = [await peerAt("127.0.0.2"), await peerAt("127.0.0.3")];
    for (let i = 0; i < 60; i++) flooding.sendCall(transport.port, "INVITE", { callId: `flood${i}` });
    other.sendCall(transport.port, "INVITE", { callId: "other" });
    const both = ["UDP 127.0.0.2", "UDP 127.0.0.3"];
    await until("both are logged", () => both.every((each) => logged.includes(each)));
    expect([...new Set(logged)].toSorted()).toEqual(both);
  });
});

describe("the transport that a trunk uses for a request", () => {
  it("is TLS for a sips URI, and never TCP if another transport is named", async () => {
    const { transport } = await open();
    const firstBytes: number[] = [];
    const server = createServer((socket) => {
      socket.on("error", () => {});
      socket.once("data", (chunk) => firstBytes.push(chunk[0] ?? 0));
      setTimeout(() => socket.destroy(), 300);
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    closers.push(() => server.close());
    const bound = server.address();
    const port = typeof bound === "object" && bound !== null ? bound.port : 0;
    await transport.send(within(`sips:peer@127.0.0.1:${port}`, "z9hG4bKsips")).catch(() => {});
    expect(firstBytes).toEqual([0x16]);
    await transport.send(within(`sip:peer@127.0.0.1:${port};transport=ws`, "z9hG4bKws"));
    await sleep(100);
    expect(firstBytes).toEqual([0x16]);
  });
});

describe("a trunk's connections", () => {
  const listening = async (options: { idleMs?: number } = {}) => {
    const port = await freePort();
    const ids: number[] = [];
    const streams = createStreams({
      ca: null,
      isKnown: () => true,
      onMessage(_, { connectionId }) {
        ids.push(connectionId);
        return null;
      },
      onClosed: () => {},
      ...options,
    });
    await streams.listen(port);
    const socket = connect(port, "127.0.0.1");
    socket.on("error", () => {});
    await once(socket, "connect");
    closers.push(() => socket.destroy());
    return { streams, port, socket, ids };
  };

  it("are closed within a second although the peer no longer reads", async () => {
    const { streams, port, socket, ids } = await listening();
    socket.pause();
    socket.write("OPTIONS sip:x SIP/2.0\r\nContent-Length: 0\r\n\r\n");
    await until("a message", () => ids.length === 1);
    streams.reply(ids[0] ?? 0, () => "x".repeat(30_000_000));
    const closed = await Promise.race([streams.close().then(() => true), sleep(1_500, false)]);
    expect(closed).toBe(true);
    expect(await takesConnections(port)).toBe(false);
  });

  it("opened by a peer and left unused are closed", async () => {
    const { streams, socket } = await listening({ idleMs: 200 });
    socket.resume();
    const closed = await Promise.race([once(socket, "close").then(() => true), sleep(1_500, false)]);
    expect(closed).toBe(true);
    await streams.close();
  });
});

describe("a private network that the operator has not allowed", () => {
  it("isn't reached by a far end's Contact: the request goes where the call went", async () => {
    const [trunk, inside] = [
      await openSipPeer({ onHeard: () => {} }),
      await openSipPeer({ host: "127.0.0.2", onHeard: () => {} }),
    ];
    closers.push(trunk.close, inside.close);
    const { transport } = await open({ mayReach: (address) => address === "127.0.0.1" });
    transport.aim("one", { protocol: "UDP", address: "127.0.0.1", port: trunk.port, serverName: "127.0.0.1" });
    await transport.send(within(`sip:peer@127.0.0.2:${inside.port}`));
    await expect.poll(() => trunk.heard("BYE").length).toBeGreaterThan(0);
    transport.forgetAim("one");
    await sleep(50);
    expect(inside.all).toEqual([]);
  });

  it("isn't reached by a request outside any call", async () => {
    const inside = await openSipPeer({ onHeard: () => {} });
    closers.push(inside.close);
    const { transport } = await open({ mayReach: () => false });
    await expect(transport.send(within(`sip:peer@127.0.0.1:${inside.port}`))).rejects.toThrow("private network");
    expect(inside.all).toEqual([]);
  });
});
