import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

import type { Carrier, InboundCall } from "@leadline/adapter-kit/carrier";
import { placeCall } from "@leadline/adapter-kit/conformance/place-call";
import { inNetworks } from "@leadline/adapter-kit/outbound/private-networks";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { openSipTrunk } from "../open-sip-trunk.ts";
import { settings } from "../settings.ts";
import { flood, invite, openSocket } from "../testing/flood.ts";
import { number, openStage, type Stage } from "../testing/start-callees.ts";
import { freePort, until } from "../testing/start-program.ts";
import { tortureMessages } from "../testing/torture-messages.ts";

/** The messages of RFC 4475 that ring; signalling/core.test.ts has the result of each. */
const ringing = ["esc01", "longreq", "badinv01", "ltgtruri", "lwsstart", "escruri", "baddate", "sdp01"];

/** RFC 4475's audio addresses are in documentation networks, which count as public here. */
const mayReach = inNetworks(["127.0.0.0/8", "192.0.2.0/24"]);

/** The trunk's limit for new calls. */
const maxAtOnce = 200;
const maxPerSecond = 50;

describe("a trunk under hostile input", () => {
  let stage: Stage;
  let callee: number;
  beforeAll(async () => {
    stage = await openStage();
    callee = await stage.sipp({ scenario: "answer", transport: "tcp" });
  });
  afterAll(() => stage.close());

  async function openAt(): Promise<{ trunk: Carrier; port: number; calls: InboundCall[] }> {
    const port = await freePort();
    const calls: InboundCall[] = [];
    const trunk = await openSipTrunk(
      settings.parse({ host: `127.0.0.1:${callee}`, transport: "tcp", authentication: "ip", localPort: port }),
      { listener: { onState: () => {}, onInbound: (call) => void calls.push(call) }, mayReach },
    );
    return { trunk, port, calls };
  }

  async function callsStill(trunk: Carrier): Promise<string> {
    const call = await placeCall(trunk, number("01"));
    await call.answered();
    await call.hangUp();
    return call.kinds();
  }

  it("survives RFC 4475's messages over UDP, and handles each correctly", async () => {
    const { trunk, port, calls } = await openAt();
    const socket = await openSocket("127.0.0.1");
    for (const bytes of tortureMessages().values()) socket.send(bytes, port, "127.0.0.1");
    await until("what may ring rings", () => calls.length >= ringing.length);
    expect(await callsStill(trunk)).toBe("ringing answered");
    expect(calls.length).toBe(ringing.length);
    socket.close();
    await trunk.close();
  });

  it("survives RFC 4475's messages over TCP, and connections that send nonsense", async () => {
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

  it("sends nothing to a stranger, and rings for one of its own peers", async () => {
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

  it("keeps the process responsive under 1,000 INVITEs a second, from strangers and from its own peer", async () => {
    const { trunk, port } = await openAt();
    const beganMs = performance.now();
    const sent = await flood(port);
    expect(await callsStill(trunk)).toBe("ringing answered");
    // Dropped messages cost next to nothing; the rest stays at a fixed rate, however long the flood took here.
    const seconds = (performance.now() - beganMs) / 1_000;
    expect(sent.answered()).toBeGreaterThan(0);
    expect(sent.answered()).toBeLessThanOrEqual(maxAtOnce + maxPerSecond * seconds);
    expect(sent.answersToStranger()).toBe(0);
    sent.close();
    await trunk.close();
  });
});
