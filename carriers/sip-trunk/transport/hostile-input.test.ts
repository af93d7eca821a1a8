import { createSocket, type Socket } from "node:dgram";
import { once } from "node:events";
import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

import type { Carrier, InboundCall } from "@leadline/adapter-kit/carrier";
import { placeCall } from "@leadline/adapter-kit/conformance/place-call";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { openSipTrunk } from "../open-sip-trunk.ts";
import { settings } from "../settings.ts";
import { number, openStage, type Stage } from "../testing/start-callees.ts";
import { freePort, until } from "../testing/start-program.ts";
import { tortureMessages } from "../testing/torture-messages.ts";

/** What rings of RFC 4475's messages; signalling/core.test.ts has what becomes of each. */
const ringing = ["esc01", "escruri", "baddate", "sdp01"];

/** What the trunk lets in of new calls. */
const mostAtOnce = 100;
const mostASecond = 50;

function invite(from: Socket, id: string): string {
  const { address, port } = from.address();
  const lines = [
    "INVITE sip:+442079460123@127.0.0.1 SIP/2.0",
    `Via: SIP/2.0/UDP ${address}:${port};branch=z9hG4bK${id}`,
    `From: <sip:+442071838750@${address}>;tag=${id}`,
    "To: <sip:+442079460123@127.0.0.1>",
    `Call-ID: ${id}`,
    "CSeq: 1 INVITE",
    `Contact: <sip:${address}:${port}>`,
    "Max-Forwards: 70",
    "Content-Length: 0",
  ];
  return `${lines.join("\r\n")}\r\n\r\n`;
}

async function openSocket(address: string): Promise<Socket> {
  const socket = createSocket("udp4");
  const listening = once(socket, "listening");
  socket.bind(0, address);
  await listening;
  return socket;
}

describe("a trunk under hostile input", () => {
  let stage: Stage;
  let callee: number;
  beforeAll(async () => {
    stage = await openStage();
    callee = await stage.sipp({ scenario: "answer", transport: "tcp" });
  }, 120_000);
  afterAll(() => stage.close());

  async function openAt(): Promise<{ trunk: Carrier; port: number; calls: InboundCall[] }> {
    const port = await freePort();
    const calls: InboundCall[] = [];
    const trunk = await openSipTrunk(
      settings.parse({ host: `127.0.0.1:${callee}`, transport: "tcp", authentication: "ip", localPort: port }),
      { listener: { onState: () => {}, onInbound: (call) => void calls.push(call) } },
    );
    return { trunk, port, calls };
  }

  async function callsStill(trunk: Carrier): Promise<string> {
    const call = await placeCall(trunk, number("01"));
    await call.answered();
    await call.hangUp();
    return call.kinds();
  }

  it("is neither stopped nor fooled by RFC 4475's messages over UDP", async () => {
    const { trunk, port, calls } = await openAt();
    const socket = await openSocket("127.0.0.1");
    for (const bytes of tortureMessages().values()) socket.send(bytes, port, "127.0.0.1");
    await until("what may ring rings", () => calls.length >= ringing.length);
    expect(await callsStill(trunk)).toBe("ringing answered");
    expect(calls.length).toBe(ringing.length);
    socket.close();
    await trunk.close();
  });

  it("is neither stopped nor fooled by RFC 4475's messages over TCP, nor by connections that send nonsense", async () => {
    const { trunk, port, calls } = await openAt();
    const nonsense = [
      Buffer.alloc(100_000, 0x41),
      Buffer.from("\r\n\r\n\r\n"),
      Buffer.from([0x16, 0x03, 0x01, 0x02, 0, 1]),
    ];
    for (const bytes of [...tortureMessages().values(), ...nonsense]) {
      const socket = connect(port, "127.0.0.1");
      socket.on("error", () => {});
      socket.write(bytes);
      setTimeout(() => socket.destroy(), 1_500);
    }
    await until("what may ring rings", () => calls.length >= ringing.length);
    expect(await callsStill(trunk)).toBe("ringing answered");
    expect(calls.length).toBe(ringing.length);
    await trunk.close();
  });

  it("says nothing to a peer that is none of its own, and rings for one that is", async () => {
    const { trunk, port, calls } = await openAt();
    const [stranger, own] = await Promise.all([openSocket("127.0.0.2"), openSocket("127.0.0.1")]);
    let answered = 0;
    stranger.on("message", () => answered++);
    stranger.send(invite(stranger, "stranger"), port, "127.0.0.1");
    await sleep(300);
    expect([calls.length, answered]).toEqual([0, 0]);
    own.send(invite(own, "own"), port, "127.0.0.1");
    await until("its own rings", () => calls.length === 1);
    stranger.close();
    own.close();
    await trunk.close();
  });

  it("leaves the process answering under 1,000 INVITEs a second, from strangers and from its own peer", async () => {
    const { trunk, port } = await openAt();
    const [stranger, own] = await Promise.all([openSocket("127.0.0.2"), openSocket("127.0.0.1")]);
    let answered = 0;
    stranger.on("message", () => answered++);
    const rung = new Set<string>();
    own.on("message", (bytes) => void rung.add(/^call-id: *(\S+)/im.exec(bytes.toString())?.[1] ?? ""));
    const beganMs = performance.now();
    for (let round = 0; round < 50; round++) {
      for (let i = 0; i < 20; i++) {
        const from = i % 2 === 0 ? stranger : own;
        from.send(invite(from, `flood${round}x${i}`), port, "127.0.0.1");
      }
      await sleep(20);
    }
    expect(await callsStill(trunk)).toBe("ringing answered");
    // What is not let in costs next to nothing; what is stays as many a second, however long the flood took here.
    const seconds = (performance.now() - beganMs) / 1_000;
    expect(rung.size).toBeGreaterThan(0);
    expect(rung.size).toBeLessThanOrEqual(mostAtOnce + mostASecond * seconds);
    expect(answered).toBe(0);
    stranger.close();
    own.close();
    await trunk.close();
  });
});
