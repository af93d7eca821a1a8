import { openRtpEndpoint, type RtpEndpoint } from "@leadline/adapter-kit/conformance/rtp-endpoint";
import type { Heard } from "@leadline/carrier-sip-trunk/testing/heard";
import { openSipPeer } from "@leadline/carrier-sip-trunk/testing/sip-peer";
import { onTestFinished } from "vitest";
import { adaHz, bobHz } from "./media/heard-by.ts";

export const adaNumber = "+12025550101";
export const bobNumber = "+12025550102";

/** Ada and Bob behind a trunk; they answer calls and send audio to the address in the latest offer. */
export async function openFarEnds({ bobAnswers }: { bobAnswers: boolean }) {
  const [ada, bob] = await Promise.all([openRtpEndpoint(), openRtpEndpoint({ codecs: ["PCMA"] })]);
  ada.sendTone(adaHz);
  bob.sendTone(bobHz);
  const callers = new Map<string | undefined, RtpEndpoint>();
  const gone = new Set<RtpEndpoint>();
  const peer = await openSipPeer({
    onHeard(heard) {
      if (heard.what === "INVITE") answer(heard);
      else if (/^(BYE|OPTIONS|NOTIFY)$/.test(heard.what)) heard.reply(200);
    },
  });
  function answer(heard: Heard): void {
    const callId = heard.header("call-id");
    const called = callers.get(callId) ?? (heard.text.startsWith(`INVITE sip:${adaNumber}@`) ? ada : bob);
    callers.set(callId, called);
    if (gone.has(called)) return heard.reply(481);
    const headers = [`Contact: <sip:peer@127.0.0.1:${peer.port}>`];
    if (called === bob && !bobAnswers) return heard.reply(180, { headers });
    called.acceptAnswer(heard.body);
    heard.reply(200, { headers, body: called.offer });
  }
  const of = (farEnd: RtpEndpoint) => (heard: Heard) => callers.get(heard.header("call-id")) === farEnd;
  onTestFinished(() => [peer, ada, bob].forEach((each) => void each.close()));
  return {
    ada,
    bob,
    port: peer.port,
    leave: (farEnd: RtpEndpoint): void => void gone.add(farEnd),
    byes: (farEnd: RtpEndpoint): number => peer.heard("BYE").filter(of(farEnd)).length,
    hangUp(farEnd: RtpEndpoint): void {
      const last = peer.heard("INVITE").findLast(of(farEnd));
      if (last) peer.sendIn(last, "BYE", { cseq: 1 });
    },
  };
}
