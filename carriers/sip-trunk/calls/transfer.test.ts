import { askToTransfer } from "@leadline/adapter-kit/conformance/ask-to-transfer";
import { hear } from "@leadline/adapter-kit/conformance/hear";
import { openRtpEndpoint } from "@leadline/adapter-kit/conformance/rtp-endpoint";
import { placeCall } from "@leadline/adapter-kit/conformance/place-call";
import { writeRtpDescription } from "@leadline/adapter-kit/rtp/rtp-description";
import type { InboundCall } from "@leadline/adapter-kit/carrier";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { openSipTrunk } from "../open-sip-trunk.ts";
import { settings, type TrunkSettings } from "../settings.ts";
import type { Heard } from "../testing/heard.ts";
import { openSipPeer } from "../testing/sip-peer.ts";
import { startBaresip } from "../testing/start-baresip.ts";
import { number, openStage, type Stage } from "../testing/start-callees.ts";
import { freePort, until } from "../testing/start-program.ts";

const body = writeRtpDescription({ host: "127.0.0.1", port: 9, codecs: ["PCMU"], telephoneEventType: null });
const allow = "Allow: INVITE, ACK, BYE, CANCEL, REFER, NOTIFY";
const terminated = "terminated;reason=noresource";

/** Drops retransmissions of a request. */
const once = (heard: readonly Heard[]): Heard[] => [
  ...new Map(heard.map((each) => [each.header("cseq"), each])).values(),
];

/** A rep in a call with a far end that responds to each REFER as the test says. */
async function inCall(answerRefer: (refer: Heard, nth: number) => void, rest: Partial<TrunkSettings> = {}) {
  const peer = await openSipPeer({
    onHeard(heard) {
      const headers = [`Contact: <sip:peer@127.0.0.1:${peer.port}>`, allow];
      if (heard.what === "INVITE") heard.reply(200, { headers, body });
      else if (heard.what === "REFER") answerRefer(heard, once(peer.heard("REFER")).length);
      else if (heard.what === "OPTIONS" || heard.what === "BYE") heard.reply(200);
    },
  });
  const given = { host: `127.0.0.1:${peer.port}`, transport: "udp", authentication: "ip" };
  const trunk = await openSipTrunk({ ...settings.parse(given), ...rest });
  const call = await placeCall(trunk, "+12025550100");
  await call.answered();
  let cseq = 0;
  return {
    peer,
    call,
    /** Sends a NOTIFY of the transfer within the call: `fragment` is the whole body. */
    notify(fragment: string, { state = "active;expires=60", event = "refer" } = {}): void {
      const [invite] = peer.heard("INVITE");
      if (!invite) throw new Error("nobody called");
      cseq += 2;
      const headers = [`Event: ${event}`, `Subscription-State: ${state}`];
      const contentType = "message/sipfrag;version=2.0";
      peer.sendIn(invite, "NOTIFY", { cseq, headers, contentType, body: fragment });
    },
    async close(): Promise<void> {
      await call.hangUp();
      await trunk.close();
      await peer.close();
    },
  };
}

describe.concurrent("a transfer through a trunk", () => {
  it("is requested by REFER in the call, reported by each NOTIFY and accepted, and then we hang up", async () => {
    const { peer, call, notify, close } = await inCall((refer) => refer.reply(202));
    void call.leg.setHold?.(true);
    const transfer = askToTransfer(call.leg, "+12025550199");
    await until("a REFER", () => peer.heard("REFER").length > 0);
    const [refer] = peer.heard("REFER");
    // The far end is already on hold.
    const asked = once(peer.all.filter(({ what }) => what !== "OPTIONS"));
    expect(asked.map(({ what }) => what)).toEqual(["INVITE", "ACK", "INVITE", "ACK", "REFER"]);
    expect(asked[2]?.body).toContain("a=sendonly");
    expect(refer?.header("refer-to")).toBe(`<sip:+12025550199@127.0.0.1:${peer.port}>`);
    expect(refer?.header("referred-by")).toBe(`<sip:leadline@127.0.0.1:${peer.port}>`);
    expect(refer?.header("call-id")).toBe(peer.heard("INVITE")[0]?.header("call-id"));
    notify("SIP/2.0 100 Trying\r\n");
    notify("SIP/2.0 180 Ringing\r\n");
    await until("it rings", () => transfer.kinds() === "ringing");
    notify("SIP/2.0 200 OK\r\n", { state: terminated });
    await transfer.settled();
    notify("SIP/2.0 486 Busy Here\r\n", { state: terminated });
    await until("all are answered", () => peer.heard("200").filter((heard) => /NOTIFY/.test(heard.text)).length >= 4);
    expect(transfer.kinds()).toBe("ringing taken");
    expect(peer.heard("BYE")).toEqual([]);
    await call.leg.hangUp();
    expect(once(peer.heard("BYE"))).toHaveLength(1);
    await close();
  });

  it.each([
    [302, "network-failure"],
    [404, "number-unknown"],
    [408, "no-answer"],
    [486, "busy"],
    [503, "network-failure"],
    [603, "rejected"],
  ] as const)(
    "that ended in %i according to a NOTIFY is refused as %s, and the call continues",
    async (sip, reason) => {
      const { call, notify, close } = await inCall((refer) => refer.reply(202));
      const transfer = askToTransfer(call.leg, "+12025550199");
      notify(`SIP/2.0 ${sip} Said\r\n`, { state: terminated });
      expect(await transfer.settled()).toEqual({ type: "refused", why: { reason, sip } });
      expect(call.kinds()).toBe("answered");
      await close();
    },
  );

  it.each([
    [403, "transfer-refused"],
    [405, "not-supported"],
    [481, "transfer-refused"],
    [501, "not-supported"],
    [603, "transfer-refused"],
    [302, "transfer-refused"],
  ] as const)("whose REFER is answered with %i is refused as %s, and the call continues", async (sip, reason) => {
    const { call, close } = await inCall((refer) => refer.reply(sip, { headers: ["Contact: <sip:there@127.0.0.1>"] }));
    const transfer = askToTransfer(call.leg, "+12025550199");
    expect(await transfer.settled()).toEqual({ type: "refused", why: { reason, sip } });
    expect(call.kinds()).toBe("answered");
    await close();
  });

  it("that is accepted without a NOTIFY is unknown, and still succeeds if a later NOTIFY says so", async () => {
    const promised = ["Refer-Sub: false"];
    const { call, notify, close } = await inCall((refer) => refer.reply(202, { headers: promised }), {
      ringSeconds: 2,
    });
    const transfer = askToTransfer(call.leg, "+12025550199");
    expect(await transfer.settled()).toEqual({ type: "unknown" });
    notify("SIP/2.0 200 OK\r\n", { state: terminated });
    await until("it is taken", () => transfer.kinds() === "unknown taken");
    await close();
  });

  it("that rings forever is unknown, and so is one that the far end stops reporting", async () => {
    const far = await inCall(tellAndTake, { ringSeconds: 2 });
    const { call, notify, close } = far;
    function tellAndTake(refer: Heard, nth: number): void {
      // A NOTIFY may arrive before the 202.
      if (nth === 1) far.notify("SIP/2.0 183 Session Progress\r\n");
      refer.reply(202);
    }
    const ringing = askToTransfer(call.leg, "+12025550199");
    await ringing.settled();
    expect(ringing.kinds()).toBe("ringing unknown");
    const dropped = askToTransfer(call.leg, "+12025550199");
    notify("SIP/2.0 100 Trying\r\n", { state: "terminated;reason=giveup" });
    expect(await dropped.settled()).toEqual({ type: "unknown" });
    await close();
  });

  it("ignores NOTIFYs of an earlier transfer, and nonsense", async () => {
    const { peer, call, notify, close } = await inCall((refer, nth) => refer.reply(nth === 1 ? 603 : 202));
    await askToTransfer(call.leg, "+12025550103").settled();
    const second = askToTransfer(call.leg, "+12025550104");
    await until("two REFERs", () => once(peer.heard("REFER")).length === 2);
    const [first, last] = once(peer.heard("REFER")).map((refer) => Number.parseInt(refer.header("cseq") ?? ""));
    notify("SIP/2.0 200 OK\r\n", { state: terminated, event: `refer;id=${first}` });
    notify("what a pleasant day");
    notify("SIP/2.0 486 Busy Here\r\n", { state: terminated, event: `refer;id=${last}` });
    await second.settled();
    expect(second.kinds()).toBe("refused");
    await close();
  });
});

describe.concurrent("an unusual transfer through a trunk", () => {
  it("is requested again with the password if the trunk challenges it", async () => {
    const challenge = 'Proxy-Authenticate: Digest realm="there", nonce="once", algorithm=MD5';
    const account = { authentication: "digest", user: "agent", password: "secret" } as const;
    const { peer, call, notify, close } = await inCall((refer) => {
      if (refer.header("proxy-authorization") === undefined) refer.reply(407, { headers: [challenge] });
      else refer.reply(202);
    }, account);
    const transfer = askToTransfer(call.leg, "+12025550199");
    await until("it is asked for again", () => once(peer.heard("REFER")).length === 2);
    const cseq = Number.parseInt(once(peer.heard("REFER"))[1]?.header("cseq") ?? "");
    notify("SIP/2.0 200 OK\r\n", { state: terminated, event: `refer;id=${cseq}` });
    expect(await transfer.settled()).toEqual({ type: "taken" });
    await call.leg.hangUp();
    expect(Number.parseInt(peer.heard("BYE")[0]?.header("cseq") ?? "")).toBe(cseq + 1);
    await close();
  });

  it.each(["there", "here"])(
    "of a call that is ended %s first is still reported, as the far end continues it",
    async (where) => {
      const { peer, call, notify, close } = await inCall((refer) => refer.reply(202));
      const transfer = askToTransfer(call.leg, "+12025550199");
      notify("SIP/2.0 180 Ringing\r\n");
      await until("it rings", () => transfer.kinds() === "ringing");
      const [invite] = peer.heard("INVITE");
      if (where === "here") await call.leg.hangUp();
      else if (invite) peer.sendIn(invite, "BYE", { cseq: 3 });
      await until("the call is over", () =>
        where === "here" ? peer.heard("BYE").length > 0 : call.kinds() !== "answered",
      );
      notify("SIP/2.0 200 OK\r\n", { state: terminated });
      expect(await transfer.settled()).toEqual({ type: "taken" });
      // No further NOTIFY is expected.
      notify("SIP/2.0 486 Busy Here\r\n", { state: terminated });
      await until("it is no longer known", () => peer.heard("481").length > 0);
      expect(transfer.kinds()).toBe("ringing taken");
      await close();
    },
  );

  it("whose result is unknown is reported even after the call", async () => {
    const { call, notify, close } = await inCall((refer) => refer.reply(202), { ringSeconds: 1 });
    const transfer = askToTransfer(call.leg, "+12025550199");
    expect(await transfer.settled()).toEqual({ type: "unknown" });
    await call.leg.hangUp();
    notify("SIP/2.0 200 OK\r\n", { state: terminated });
    await until("it is taken", () => transfer.kinds() === "unknown taken");
    await close();
  });

  it("can also transfer an inbound caller", async () => {
    const peer = await openSipPeer({
      onHeard: (heard) => /^[A-Z]/.test(heard.what) && heard.what !== "ACK" && heard.reply(200),
    });
    const localPort = await freePort();
    const calls: InboundCall[] = [];
    const given = { host: `127.0.0.1:${peer.port}`, transport: "udp", authentication: "ip", localPort };
    const trunk = await openSipTrunk(settings.parse(given), {
      listener: { onState: () => {}, onInbound: (call) => void calls.push(call) },
    });
    await until("we are known", () => peer.heard("OPTIONS").length > 0);
    const endpoint = await openRtpEndpoint();
    peer.sendCall(localPort, "INVITE", { callId: "in", body });
    await until("a call", () => calls.length === 1);
    const leg = await calls[0]?.answer({ offer: endpoint.offer, onEvent: () => {} });
    await until("our answer", () => peer.heard("200").some(({ body: sdp }) => sdp !== ""));
    const answered = peer.heard("200").find(({ body: sdp }) => sdp !== "");
    const toTag = /;tag=([^;]+)/.exec(answered?.header("to") ?? "")?.[1] ?? "";
    peer.sendCall(localPort, "ACK", { callId: "in", toTag });
    if (leg) askToTransfer(leg, "+12025550199");
    await until("a REFER", () => peer.heard("REFER").length > 0);
    expect(peer.heard("REFER")[0]?.header("refer-to")).toContain("sip:+12025550199@");
    await trunk.close();
    endpoint.close();
    await peer.close();
  });
});

describe("a transfer of a call with baresip", () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage();
  });
  afterAll(() => stage.close());

  it("takes it to another baresip, and leaves it here if no one has the number", async () => {
    const [near, far] = await Promise.all(
      ["02", "07"].map((lastTwo) =>
        stage.keep(
          startBaresip(stage.peers, {
            folder: stage.folder,
            user: number(lastTwo),
            account: ";answermode=auto",
            toneHz: 500,
          }),
        ),
      ),
    );
    if (!near || !far) throw new Error("no callees");
    // Requests to the trunk go to one of them, and requests to its own domain to the other.
    const trunk = await openSipTrunk({
      ...settings.parse({ host: `127.0.0.1:${far.port}`, transport: "udp", authentication: "ip" }),
      outboundProxy: `127.0.0.1:${near.port}`,
    });
    const call = await placeCall(trunk, number("02"));
    await call.answered();
    const why = { reason: "number-unknown", sip: 404 };
    expect(await askToTransfer(call.leg, number("03")).settled()).toEqual({ type: "refused", why });
    expect(await hear(call.endpoint, 500)).toBeGreaterThan(0.8);
    expect(await askToTransfer(call.leg, number("07")).settled()).toEqual({ type: "taken" });
    await call.hangUp();
    await until("the other one has it", () => far.events.some(({ type }) => type === "CALL_ESTABLISHED"));
    await trunk.close();
  });
});
