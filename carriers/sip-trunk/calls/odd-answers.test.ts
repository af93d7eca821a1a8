import { setTimeout as sleep } from "node:timers/promises";

import { afterEach, describe, expect, it } from "vitest";

import { openRawTrunk, type RawTrunk } from "../testing/open-raw-trunk.ts";
import { writeResponse } from "../testing/raw-sip.ts";

describe("a dialled call", () => {
  let raw: RawTrunk;
  afterEach(() => raw.close());

  it("acknowledges reliable ringing once per RSeq, however often it is retransmitted", async () => {
    raw = await openRawTrunk();
    const call = await raw.dial();
    const ring = (rseq: number) =>
      raw.peer.reply(call.invite, "180 Ringing", { headers: ["Require: 100rel", `RSeq: ${rseq}`] });
    ring(41);
    raw.peer.reply(await raw.peer.next("PRACK"), "200 OK");
    ring(41);
    ring(42);
    const second = await raw.peer.next("PRACK");
    expect(second.header("rack")).toMatch(/^42 /);
    raw.peer.reply(second, "200 OK");
    await sleep(300);
    expect(raw.peer.all("PRACK")).toHaveLength(2);
    raw.peer.reply(call.invite, "200 OK", { body: raw.rtp.describe() });
    await call.answered();
  });

  it.each<[string, string | null, string]>([
    ["181 Call Is Being Forwarded", null, "answered"],
    ["182 Queued", null, "answered"],
    ["183 Session Progress", null, "answered"],
    ["183 Session Progress", "sdp", "early-media answered"],
    ["199 Early Dialog Terminated", null, "answered"],
  ])("continues after %s (%s)", async (status, body, kinds) => {
    raw = await openRawTrunk();
    const call = await raw.dial();
    raw.peer.reply(call.invite, status, { ...(body !== null && { body: raw.rtp.describe() }) });
    raw.peer.reply(call.invite, "200 OK", { body: raw.rtp.describe() });
    await call.answered();
    expect(call.kinds()).toBe(kinds);
    expect(await raw.talk(call.endpoint)).toBeGreaterThan(0.9);
  });

  it("whose answer's Contact names an unknown host is acknowledged and ended where its INVITE went", async () => {
    const unknown = () => Promise.reject(new Error("ENOTFOUND"));
    const resolver = {
      resolveNaptr: unknown,
      resolveSrv: unknown,
      resolve4: unknown,
      resolve6: unknown,
      lookup: unknown,
    };
    raw = await openRawTrunk({}, {}, { resolver });
    const call = await raw.dial();
    raw.peer.reply(call.invite, "200 OK", { contact: "Contact: <sip:peer@pbx.example>", body: raw.rtp.describe() });
    await call.answered();
    expect((await raw.peer.next("ACK")).text).toMatch(/^ACK sip:peer@pbx\.example /);
    const leaving = call.leg.hangUp();
    raw.peer.reply(await raw.peer.next("BYE"), "200 OK");
    await leaving;
  });

  it("ends, acknowledged, if its answer has no description", async () => {
    raw = await openRawTrunk();
    const call = await raw.dial();
    raw.peer.reply(call.invite, "200 OK");
    await raw.peer.next("ACK");
    const bye = await raw.peer.next("BYE");
    expect(bye.header("reason")).toContain("cause=88");
    raw.peer.reply(bye, "200 OK");
    expect((await call.ended()).reason).toBe("carrier-refused");
  });

  const chunks: [string, (text: string) => (string | null)[]][] = [
    ["a byte at a time", (text) => [...text]],
    ["cut in its head and in its body", (text) => [text.slice(0, 31), text.slice(31, -20), text.slice(-20)]],
    [
      "with line feeds alone in its head",
      (text) => [text.replace(/^.*?\r\n\r\n/s, (head) => head.replaceAll("\r\n", "\n"))],
    ],
    [
      "with line feeds in its head and a whole line end behind it",
      (text) => [text.replace(/^.*?\r\n\r\n/s, (head) => `${head.slice(0, -4).replaceAll("\r\n", "\n")}\n\r\n`)],
    ],
    [
      "with line feeds alone",
      (text) => [
        text
          .replaceAll("\r\n", "\n")
          .replace(
            /(Content-Length: )\d+/,
            (_, name) => name + text.split("\r\n\r\n")[1]?.replaceAll("\r\n", "\n").length,
          ),
      ],
    ],
    ["behind keep-alives", (text) => ["\r\n\r\n", "\r\n", text]],
    ["with its Content-Length folded and in short", (text) => [text.replace("Content-Length: ", "l :\r\n  ")]],
  ];
  it.each(chunks)("over TCP is answered %s", async (_, cut) => {
    raw = await openRawTrunk({}, { tcp: true });
    const call = await raw.dial();
    const ringing = writeResponse(call.invite, "180 Ringing", { contact: raw.peer.contact });
    const ok = writeResponse(call.invite, "200 OK", { contact: raw.peer.contact, body: raw.rtp.describe() });
    // The first arrives together with the start of the second.
    const [first = "", ...rest] = cut(ok);
    raw.peer.send(ringing + first, call.invite.from);
    for (const piece of rest) raw.peer.send(piece ?? "", call.invite.from);
    await call.answered();
    expect(call.kinds()).toBe("ringing answered");
    const ack = await raw.peer.next("ACK");
    expect(ack.header("cseq")).toBe("1 ACK");
    expect(raw.dropped).toEqual([]);
  });

  it("over TCP answers a CRLF CRLF keep-alive with CRLF", async () => {
    raw = await openRawTrunk({}, { tcp: true });
    const { invite } = await raw.dial();
    const { connection } = invite.from;
    const heard: string[] = [];
    connection?.on("data", (chunk: Buffer) => void heard.push(chunk.toString()));
    raw.peer.send("\r\n\r\n", invite.from);
    await expect.poll(() => heard).toContain("\r\n");
  });
});
