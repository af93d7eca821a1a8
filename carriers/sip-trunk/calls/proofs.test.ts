import { openRtpEndpoint } from "@leadline/adapter-kit/conformance/rtp-endpoint";
import { placeCall } from "@leadline/adapter-kit/conformance/place-call";
import { writeRtpDescription } from "@leadline/adapter-kit/rtp/rtp-description";
import type { InboundCall } from "@leadline/adapter-kit/carrier";
import { describe, expect, it } from "vitest";

import { openSipTrunk } from "../open-sip-trunk.ts";
import { settings } from "../settings.ts";
import type { Heard } from "../testing/heard.ts";
import { openSipPeer } from "../testing/sip-peer.ts";
import { freePort, until } from "../testing/start-program.ts";

const body = writeRtpDescription({ host: "127.0.0.1", port: 9, codecs: ["PCMU"], telephoneEventType: null });

/** A far end that answers calls with `answer`, and session refreshes with `prove`. */
async function startPeer(allow: string, prove: (request: Heard, nth: number) => number) {
  const proofs: Heard[] = [];
  const peer = await openSipPeer({
    onHeard(heard) {
      const headers = [`Contact: <sip:peer@127.0.0.1:${peer.port}>`, `Allow: ${allow}`];
      const isFirst = heard.what === "INVITE" && !/;tag=/.test(heard.header("to") ?? "");
      if (isFirst) return heard.reply(200, { headers, body });
      if (heard.what === "OPTIONS" || heard.what === "BYE") return heard.reply(200);
      if (heard.what !== "INVITE" && heard.what !== "UPDATE") return;
      proofs.push(heard);
      const status = prove(heard, proofs.length);
      heard.reply(status, { headers, ...(status === 200 && heard.what === "INVITE" && { body }) });
    },
  });
  const localPort = await freePort();
  const calls: InboundCall[] = [];
  const trunk = await openSipTrunk(
    {
      ...settings.parse({ host: `127.0.0.1:${peer.port}`, transport: "udp", authentication: "ip", localPort }),
      sessionSeconds: 2,
    },
    { listener: { onState: () => {}, onInbound: (call) => void calls.push(call) } },
  );
  const close = async (): Promise<void> => {
    await trunk.close();
    await peer.close();
  };
  return { peer, trunk, proofs, calls, localPort, close };
}

describe.concurrent("a session refresh", () => {
  it("is also sent to a far end without session timers, and again after a refusal", async () => {
    const { trunk, proofs, close } = await startPeer("INVITE, ACK, BYE", () => 500);
    const call = await placeCall(trunk, "+12025550101");
    await call.answered();
    await until("two proofs", () => proofs.length >= 2);
    expect(proofs.every(({ what }) => what === "INVITE")).toBe(true);
    expect(call.kinds()).toBe("answered");
    await call.hangUp();
    await close();
  });

  it.each([405, 501])("is sent by INVITE from then on if UPDATE is refused with %i", async (status) => {
    const { trunk, proofs, close } = await startPeer("INVITE, ACK, BYE, UPDATE", ({ what }) =>
      what === "UPDATE" ? status : 200,
    );
    const call = await placeCall(trunk, "+12025550101");
    await call.answered();
    await until("three proofs", () => proofs.length >= 3);
    expect(proofs.slice(0, 3).map(({ what }) => what)).toEqual(["UPDATE", "INVITE", "INVITE"]);
    await call.hangUp();
    await close();
  });

  it("ends the call if the far end no longer knows it", async () => {
    const { trunk, close } = await startPeer("INVITE, ACK, BYE, UPDATE", () => 481);
    const call = await placeCall(trunk, "+12025550101");
    await call.answered();
    expect((await call.ended(4_000)).reason).toBe("network-failure");
    call.endpoint.close();
    await close();
  });

  it("blocks nothing else if it is answered with a redirect", async () => {
    const { trunk, proofs, close } = await startPeer("INVITE, ACK, BYE, UPDATE", ({ what }) =>
      what === "UPDATE" ? 302 : 200,
    );
    const call = await placeCall(trunk, "+12025550101");
    await call.answered();
    await until("a proof", () => proofs.length === 1);
    await call.leg.setHold?.(true);
    expect(proofs.some(({ what, body: sdp }) => what === "INVITE" && sdp.includes("a=sendonly"))).toBe(true);
    await call.hangUp();
    await close();
  });

  const names = "Session-Expires: 90;refresher=uac";
  it.each([
    ["by a caller that can", ["Supported: timer", "Session-Expires: 90"], "90;refresher=uac", "timer"],
    ["by us, where a proxy on the caller's way asks for it", ["Session-Expires: 90"], "90;refresher=uas", undefined],
    ["by us, where the caller was named and cannot", [names], "90;refresher=uas", undefined],
  ])("is satisfied %s", async (_, headers, expires, required) => {
    const { peer, calls, localPort, close } = await startPeer("INVITE, ACK, BYE", () => 200);
    await until("we are known", () => peer.heard("OPTIONS").length > 0);
    peer.sendCall(localPort, "INVITE", { callId: `in-${localPort}`, headers, body });
    await until("a call", () => calls.length === 1);
    const endpoint = await openRtpEndpoint();
    await calls[0]?.answer({ offer: endpoint.offer, onEvent: () => {} });
    const answerTo = (cseq: number) => peer.heard("200").find((each) => each.header("cseq") === `${cseq} INVITE`);
    await until("an answer", () => answerTo(1) !== undefined);
    expect([answerTo(1)?.header("session-expires"), answerTo(1)?.header("require")]).toEqual([expires, required]);
    const toTag = /;tag=([^;]+)/.exec(answerTo(1)?.header("to") ?? "")?.[1] ?? "";
    const dialog = { callId: `in-${localPort}`, toTag };
    peer.sendCall(localPort, "ACK", dialog);
    peer.sendCall(localPort, "INVITE", { ...dialog, cseq: 2, headers, body });
    await until("an answer", () => answerTo(2) !== undefined);
    expect([answerTo(2)?.header("session-expires"), answerTo(2)?.header("require")]).toEqual([expires, required]);
    peer.sendCall(localPort, "ACK", { ...dialog, cseq: 2 });
    endpoint.close();
    await close();
  });
});
