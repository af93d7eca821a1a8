import { setTimeout as sleep } from "node:timers/promises";
import type { CarrierLegEvent, InboundCall } from "@leadline/adapter-kit/carrier";
import { placeCall } from "@leadline/adapter-kit/conformance/place-call";
import { writeRtpDescription } from "@leadline/adapter-kit/rtp/rtp-description";
import { describe, expect, it } from "vitest";

import { openSipTrunk } from "../open-sip-trunk.ts";
import { settings } from "../settings.ts";
import { freePort, until } from "../testing/start-program.ts";
import { startRawPeer } from "../testing/start-raw-peer.ts";

/** 64 times T1 (RFC 3261, section 13.3.1.4). */
const unacknowledgedMs = 32_000;
const body = writeRtpDescription({ host: "127.0.0.1", port: 9, codecs: ["PCMU"], telephoneEventType: null });

async function open(rest: object = {}) {
  const peer = await startRawPeer();
  const localPort = await freePort();
  const calls: InboundCall[] = [];
  const listener = { onState: () => {}, onInbound: (call: InboundCall) => void calls.push(call) };
  const given = { host: `127.0.0.1:${peer.port}`, transport: "udp", authentication: "ip", localPort };
  const trunk = await openSipTrunk({ ...settings.parse(given), ...rest }, { listener });
  const close = async (): Promise<void> => {
    await trunk.close();
    await peer.close();
  };
  return { peer, trunk, place: { address: "127.0.0.1", port: localPort }, calls, close };
}

/** A call from the peer, which doesn't acknowledge anything unless asked to. */
async function answerUnacknowledged() {
  const opened = await open();
  const { peer, place, calls } = opened;
  peer.send(peer.write("INVITE", place, { callId: `in-${place.port}`, body }), place);
  await until("a call", () => calls.length === 1);
  const events: CarrierLegEvent[] = [];
  const leg = await calls[0]?.answer({ offer: body, onEvent: (event) => void events.push(event) });
  return { ...opened, events, leg, answer: await peer.next("200") };
}

/** Calls the peer, which answers the call and responds to later requests as given; null: not at all. */
async function callAnd(status: string | null, rest: object = {}) {
  const opened = await open(rest);
  const { peer, trunk } = opened;
  const inviting = peer.next("INVITE");
  const dialling = placeCall(trunk, "+12025550101");
  peer.reply(await inviting, "200 OK", { body });
  const call = await dialling;
  await call.answered();
  await peer.next("ACK");
  const refuse = async (): Promise<void> => {
    const change = await peer.next((message) => message.what === "INVITE" || message.what === "UPDATE");
    if (status !== null) peer.reply(change, status);
  };
  return { ...opened, call, refuse };
}

describe.concurrent("a call ends with a BYE", () => {
  it("if its answer is never acknowledged", async () => {
    const { peer, events, close } = await answerUnacknowledged();
    const bye = await peer.next("BYE", { withinMs: 45_000 });
    peer.reply(bye, "200 OK");
    await until("the end", () => events.some(({ type }) => type === "ended"));
    expect(bye.header("reason")).toContain("Q.850;cause=102");
    expect(events.at(-1)).toMatchObject({ type: "ended", cause: { reason: "network-failure", sip: 408 } });
    await close();
  });

  it("if we hang up before the answer is acknowledged, and no ACK follows", async () => {
    const { peer, leg, close } = await answerUnacknowledged();
    await leg?.hangUp();
    expect((await peer.next("BYE", { withinMs: 45_000 })).header("call-id")).toMatch(/^in-/);
    await close();
  });

  it("if the far end changes it and never acknowledges our answer", async () => {
    const { peer, place, events, answer, close } = await answerUnacknowledged();
    const dialog = { ...peer.asCaller(answer), place };
    peer.request(dialog, "ACK", { cseq: 1 });
    peer.request(dialog, "INVITE", { cseq: 2, body });
    await peer.next((message) => message.what === "200" && message.header("cseq") === "2 INVITE");
    const bye = await peer.next("BYE", { withinMs: 45_000 });
    expect(bye.header("reason")).toContain("Q.850;cause=102");
    await until("the end", () => events.some(({ type }) => type === "ended"));
    await close();
  });

  it("but not if the far end changes it and acknowledges our answer", async () => {
    const { peer, place, events, leg, answer, close } = await answerUnacknowledged();
    const dialog = { ...peer.asCaller(answer), place };
    peer.request(dialog, "ACK", { cseq: 1 });
    peer.request(dialog, "INVITE", { cseq: 2, body });
    await peer.next((message) => message.what === "200" && message.header("cseq") === "2 INVITE");
    peer.request(dialog, "ACK", { cseq: 2 });
    await sleep(unacknowledgedMs + 2_000);
    expect(events.map(({ type }) => type)).not.toContain("ended");
    expect(peer.all("BYE")).toEqual([]);
    const hangingUp = leg?.hangUp();
    peer.reply(await peer.next("BYE"), "200 OK");
    await hangingUp;
    await close();
  });

  it("but not when the ringing timeout passes after it was answered", async () => {
    const ringSeconds = 10;
    const { peer, call, close } = await callAnd(null, { ringSeconds });
    await sleep(ringSeconds * 1_000 + 1_000);
    expect([call.kinds(), peer.all("BYE")]).toEqual(["answered", []]);
    const hangingUp = call.hangUp();
    peer.reply(await peer.next("BYE"), "200 OK");
    await hangingUp;
    await close();
  });

  it.each([["481 Call/Transaction Does Not Exist"], ["408 Request Timeout"], [null]])(
    "if a hold is answered with %s",
    async (status) => {
      const { peer, call, refuse, close } = await callAnd(status);
      void call.leg.setHold?.(true);
      await refuse();
      await peer.next("BYE", { withinMs: 45_000 });
      expect((await call.ended()).reason).toBe("network-failure");
      call.endpoint.close();
      await close();
    },
  );

  it.each([
    ["hold", "100 Trying"],
    ["hold", "183 Session Progress"],
    ["session refresh", "100 Trying"],
  ])("if a %s is answered with %s and nothing after it", async (change, status) => {
    const isHold = change === "hold";
    const { peer, call, refuse, close } = await callAnd(status, isHold ? {} : { sessionSeconds: 2 });
    if (isHold) void call.leg.setHold?.(true);
    await refuse();
    const bye = await peer.next("BYE", { withinMs: 45_000 });
    expect(bye.header("reason")).toContain("Q.850;cause=102");
    expect(await call.ended()).toMatchObject({ reason: "network-failure", sip: 408 });
    call.endpoint.close();
    await close();
  });

  it("but not if a hold takes longer, and the far end says meanwhile that it is at work", async () => {
    const { peer, call, close } = await callAnd(null);
    void call.leg.setHold?.(true);
    const change = await peer.next("INVITE");
    peer.reply(change, "100 Trying");
    await sleep(unacknowledgedMs / 2);
    peer.reply(change, "183 Session Progress");
    await sleep(unacknowledgedMs / 2 + 2_000);
    peer.reply(change, "200 OK", { body });
    await peer.next("ACK");
    await sleep(unacknowledgedMs / 2);
    expect([call.kinds(), peer.all("BYE")]).toEqual(["answered", []]);
    const hangingUp = call.hangUp();
    peer.reply(await peer.next("BYE"), "200 OK");
    await hangingUp;
    await close();
  });

  it.each([["481 Call/Transaction Does Not Exist"], ["408 Request Timeout"], [null]])(
    "if a session refresh is answered with %s",
    async (status) => {
      const { peer, call, refuse, close } = await callAnd(status, { sessionSeconds: 2 });
      await refuse();
      await peer.next("BYE", { withinMs: 45_000 });
      expect((await call.ended()).reason).toBe("network-failure");
      call.endpoint.close();
      await close();
    },
  );
});
