import type { CarrierLegEvent } from "@leadline/adapter-kit/carrier";
import { placeCall } from "@leadline/adapter-kit/conformance/place-call";
import { readRtpDescription, writeRtpDescription } from "@leadline/adapter-kit/rtp/rtp-description";
import { drawSdesKeys, withSdesKeys } from "@leadline/adapter-kit/rtp/sdes";
import { describe, expect, it } from "vitest";

import { openSipTrunk } from "../open-sip-trunk.ts";
import { settings, type TrunkSettings } from "../settings.ts";
import type { Heard } from "../testing/heard.ts";
import { openSipPeer } from "../testing/sip-peer.ts";
import { startDns } from "../testing/start-dns.ts";
import { until } from "../testing/start-program.ts";

const to = "+12025550101";
const sound = writeRtpDescription({ host: "127.0.0.1", port: 9, codecs: ["PCMU"], telephoneEventType: null });
const trunkAt = (host: string, rest: Partial<TrunkSettings> = {}): TrunkSettings => ({
  ...settings.parse({ host, transport: "udp", authentication: "ip" }),
  ...rest,
});

/** A callee that responds to an INVITE as the test says, and with 200 to everything else. */
async function startCallee(onInvite: (invite: Heard, contact: string) => void) {
  const callee = await openSipPeer({
    onHeard(heard) {
      if (heard.what === "INVITE") onInvite(heard, `Contact: <sip:peer@127.0.0.1:${callee.port}>`);
      else if (/^[A-Z]/.test(heard.what) && heard.what !== "ACK") heard.reply(200);
    },
  });
  return callee;
}

describe.concurrent("a dialled call", () => {
  it("fails within seconds if the only server is known to be silent, and reaches it as soon as it is back", async () => {
    let isBack = false;
    const callee = await openSipPeer({
      onHeard(heard) {
        if (!isBack || heard.what === "ACK") return;
        const headers = [`Contact: <sip:peer@127.0.0.1:${callee.port}>`];
        heard.reply(200, heard.what === "INVITE" ? { headers, body: sound } : {});
      },
    });
    const settled = trunkAt(`127.0.0.1:${callee.port}`, { keepAliveSeconds: 3_600 });
    const trunk = await openSipTrunk(settled);
    await until("known to be silent", () => trunk.state?.().level === "partly");
    const failing = await placeCall(trunk, to);
    // RFC 3261's own timeout is 32 s.
    expect(await failing.ended(20_000)).toEqual({ reason: "network-failure", sip: null, q850: 38 });
    expect(trunk.state?.().level).toBe("down");
    isBack = true;
    const call = await placeCall(trunk, to);
    await call.answered(20_000);
    expect(trunk.state?.().level).toBe("working");
    await call.hangUp();
    failing.endpoint.close();
    await trunk.close();
    await callee.close();
  });

  it("fails within seconds if the only server has disappeared since the last check, and the next call knows", async () => {
    let isThere = true;
    const callee = await openSipPeer({ onHeard: (heard) => void (isThere && heard.reply(200)) });
    const trunk = await openSipTrunk(trunkAt(`127.0.0.1:${callee.port}`, { keepAliveSeconds: 3_600 }));
    await until("known to be there", () => trunk.state?.().level === "working");
    isThere = false;
    const call = await placeCall(trunk, to);
    // RFC 3261's own timeout is 32 s.
    expect(await call.ended(20_000)).toEqual({ reason: "network-failure", sip: null, q850: 38 });
    expect(trunk.state?.().level).toBe("down");
    call.endpoint.close();
    await trunk.close();
    await callee.close();
  });

  it("waits for a slow server that answers OPTIONS", async () => {
    const callee = await startCallee((invite, contact) => {
      const isFirst = callee.heard("INVITE").length === 1;
      if (isFirst) setTimeout(() => invite.reply(200, { headers: [contact], body: sound }), 10_000);
    });
    const trunk = await openSipTrunk(trunkAt(`127.0.0.1:${callee.port}`, { keepAliveSeconds: 3_600 }));
    const call = await placeCall(trunk, to);
    await call.answered(25_000);
    // One for the keep-alive, and one for the call.
    expect(callee.heard("OPTIONS")).toHaveLength(2);
    await call.hangUp();
    await trunk.close();
    await callee.close();
  });
});

describe.concurrent("a dialled call that its far end changes", () => {
  it("continues when the far end updates it during ringing", async () => {
    const callee = await startCallee((invite, contact) => invite.reply(180, { headers: [contact] }));
    const trunk = await openSipTrunk(trunkAt(`127.0.0.1:${callee.port}`));
    const call = await placeCall(trunk, to);
    await until("ringing", () => call.kinds() === "ringing");
    const [invite] = callee.heard("INVITE");
    if (!invite) throw new Error("no INVITE came");
    const answered = (cseq: number) => callee.all.find((each) => each.header("cseq") === `${cseq} UPDATE`)?.what;
    callee.sendIn(invite, "UPDATE", { cseq: 1 });
    await until("an answer", () => answered(1) !== undefined);
    expect(answered(1)).toBe("200");
    const headers = [`Contact: <sip:peer@127.0.0.1:${callee.port}>`];
    invite.reply(183, { headers, body: sound });
    await until("early media", () => call.kinds() === "ringing early-media");
    callee.sendIn(invite, "UPDATE", { cseq: 2, body: sound.replace("m=audio 9 ", "m=audio 11 ") });
    await until("an answer", () => answered(2) !== undefined);
    expect(answered(2)).toBe("200");
    await until("the change", () => call.kinds() === "ringing early-media early-media");
    invite.reply(200, { headers, body: sound });
    await call.answered();
    await call.hangUp();
    await trunk.close();
    await callee.close();
  });

  it("follows its far end, which re-describes itself by UPDATE or INVITE, or leaves the offer to us", async () => {
    const callee = await startCallee((invite, contact) => {
      if (/;tag=/.test(invite.header("to") ?? "")) return;
      invite.reply(200, { headers: [contact, "Allow: INVITE, ACK, BYE, UPDATE"], body: sound });
    });
    const trunk = await openSipTrunk(trunkAt(`127.0.0.1:${callee.port}`));
    const call = await placeCall(trunk, to);
    await call.answered();
    const [invite] = callee.heard("INVITE");
    if (!invite) throw new Error("no INVITE came");
    const answered = async (method: string, cseq: number): Promise<string> => {
      const found = () => callee.all.find((each) => each.header("cseq") === `${cseq} ${method}` && each.what === "200");
      await until("an answer", () => found() !== undefined);
      return found()?.body ?? "";
    };
    const movedTo = (port: number): string => sound.replace("m=audio 9 ", `m=audio ${port} `);
    const told = (): (number | undefined)[] =>
      call.events.flatMap((event) => ("answer" in event ? [readRtpDescription(event.answer)?.port] : []));
    callee.sendIn(invite, "UPDATE", { cseq: 1, body: movedTo(11) });
    expect(readRtpDescription(await answered("UPDATE", 1))?.codecs).toEqual(["PCMU"]);
    callee.sendIn(invite, "INVITE", { cseq: 2, body: movedTo(13) });
    expect(readRtpDescription(await answered("INVITE", 2))?.codecs).toEqual(["PCMU"]);
    callee.sendIn(invite, "ACK", { cseq: 2 });
    callee.sendIn(invite, "INVITE", { cseq: 3 });
    expect(readRtpDescription(await answered("INVITE", 3))?.codecs).toEqual(["PCMU", "PCMA"]);
    callee.sendIn(invite, "ACK", { cseq: 3, body: movedTo(15) });
    await until("all of it is told", () => told().includes(15));
    expect(told()).toEqual([9, 11, 13, 15]);
    expect(call.kinds()).toBe("answered redescribed redescribed redescribed");
    await call.hangUp();
    await trunk.close();
    await callee.close();
  });

  it("reports that its far end holds and resumes, in every notation, and doesn't take a held far end's answer for a hold", async () => {
    const directed = (direction: string): string => `${sound}a=${direction}\r\n`.replace("a=sendrecv\r\n", "");
    let onOurHold = "inactive";
    const callee = await startCallee((invite, contact) => {
      const isFirst = !/;tag=/.test(invite.header("to") ?? "");
      const body = isFirst ? sound : directed(invite.body.includes("a=sendonly") ? onOurHold : "sendrecv");
      invite.reply(200, { headers: [contact, "Allow: INVITE, ACK, BYE, UPDATE"], body });
    });
    const trunk = await openSipTrunk(trunkAt(`127.0.0.1:${callee.port}`));
    const call = await placeCall(trunk, to);
    await call.answered();
    const [invite] = callee.heard("INVITE");
    if (!invite) throw new Error("no INVITE came");
    const holds = (): string[] => call.events.map(({ type }) => type).filter((type) => /^(held|resumed)$/.test(type));
    let cseq = 0;
    const described = async (method: "INVITE" | "UPDATE", body: string, told: string[]): Promise<void> => {
      cseq += 1;
      callee.sendIn(invite, method, { cseq, body });
      const answer = `${cseq} ${method}`;
      await until("an answer", () => callee.all.some((each) => each.header("cseq") === answer && each.what === "200"));
      if (method === "INVITE") callee.sendIn(invite, "ACK", { cseq });
      expect(holds()).toEqual(told);
    };
    await described("UPDATE", directed("inactive"), ["held"]);
    await described("UPDATE", directed("sendonly"), ["held"]);
    await described("UPDATE", sound, ["held", "resumed"]);
    await described("INVITE", sound.replace("c=IN IP4 127.0.0.1", "c=IN IP4 0.0.0.0"), ["held", "resumed", "held"]);
    // It may end its own hold while we hold, and "recvonly" in reply to our hold isn't one.
    onOurHold = "recvonly";
    await call.leg.setHold?.(true);
    expect(holds()).toEqual(["held", "resumed", "held", "resumed"]);
    await call.leg.setHold?.(false);
    onOurHold = "inactive";
    await call.leg.setHold?.(true);
    await call.leg.setHold?.(false);
    expect(holds()).toEqual(["held", "resumed", "held", "resumed"]);
    await call.hangUp();
    await trunk.close();
    await callee.close();
  });

  it("reports a far end that answers on hold", async () => {
    const onHold = sound.replace("a=sendrecv", "a=sendonly");
    const callee = await startCallee((invite, contact) => invite.reply(200, { headers: [contact], body: onHold }));
    const trunk = await openSipTrunk(trunkAt(`127.0.0.1:${callee.port}`));
    const call = await placeCall(trunk, to);
    await call.told("held");
    expect(call.kinds()).toBe("answered held");
    await call.hangUp();
    await trunk.close();
    await callee.close();
  });
});

describe.concurrent("a dialled call that isn't put through on the first attempt", () => {
  it("goes to the next server if the first is busy with it, and then out of service", async () => {
    const overloaded = await startCallee((invite) => {
      invite.reply(100);
      invite.reply(503);
    });
    const healthy = await startCallee((invite, contact) => invite.reply(200, { headers: [contact], body: sound }));
    const server = (priority: number, port: number) =>
      ({ name: "_sip._udp.trunk.test", type: "SRV", priority, weight: 1, port, target: "one.trunk.test" }) as const;
    const dns = await startDns([
      server(1, overloaded.port),
      server(2, healthy.port),
      { name: "one.trunk.test", type: "A", address: "127.0.0.1" },
    ]);
    const trunk = await openSipTrunk(trunkAt("trunk.test"), { resolver: dns.resolver });
    const call = await placeCall(trunk, to);
    await call.answered();
    expect(overloaded.heard("INVITE").length).toBe(1);
    await call.hangUp();
    expect(healthy.heard("BYE")[0]?.header("reason")).toBe('Q.850;cause=16;text="Normal call clearing"');
    await trunk.close();
    dns.close();
    await Promise.all([overloaded.close(), healthy.close()]);
  });

  it("fails without a status if nothing responds, and with the trunk's own status otherwise", async () => {
    const gone = await startCallee(() => {});
    await gone.close();
    const silent = await openSipTrunk(trunkAt(`127.0.0.1:${gone.port}`, { transport: "tcp" }));
    const unheard = await placeCall(silent, to);
    expect(await unheard.ended(10_000)).toEqual({ reason: "network-failure", sip: null, q850: 38 });
    const refusing = await startCallee((invite) => invite.reply(503));
    const trunk = await openSipTrunk(trunkAt(`127.0.0.1:${refusing.port}`));
    const refused = await placeCall(trunk, to);
    expect(await refused.ended(10_000)).toEqual({ reason: "network-failure", sip: 503, q850: 38 });
    unheard.endpoint.close();
    refused.endpoint.close();
    await Promise.all([silent.close(), trunk.close(), refusing.close()]);
  });

  it("sends no SRTP keys without TLS, and isn't made if it would need them", async () => {
    const callee = await startCallee((invite, contact) => invite.reply(200, { headers: [contact], body: sound }));
    const dial = async (rest: Partial<TrunkSettings>) => {
      const trunk = await openSipTrunk(trunkAt(`127.0.0.1:${callee.port}`, rest));
      const events: CarrierLegEvent[] = [];
      const offer = withSdesKeys(sound, drawSdesKeys());
      const onEvent = (event: CarrierLegEvent): void => void events.push(event);
      await trunk.dial({ callSid: "CA1", to, callerId: null, offer, onEvent });
      await until("an answer or an end", () => events.length > 0);
      await trunk.close();
      return events[0];
    };
    const ended = { type: "ended", cause: { reason: "not-encrypted", sip: 488, q850: 88 } };
    expect(await dial({ mediaEncryption: "required" })).toEqual(ended);
    expect(callee.heard("INVITE")).toHaveLength(0);
    expect((await dial({}))?.type).toBe("answered");
    expect(callee.heard("INVITE")[0]?.body).toContain("RTP/AVP");
    expect(callee.all.filter(({ text }) => text.includes("crypto"))).toEqual([]);
    await callee.close();
  });

  it("doesn't ring after it was given up during a challenge", async () => {
    const challenge = 'Proxy-Authenticate: Digest realm="test", nonce="one", algorithm=MD5';
    const callee = await startCallee((invite, contact) => {
      if (invite.header("proxy-authorization") === undefined)
        setTimeout(() => invite.reply(407, { headers: [challenge] }), 200);
      else invite.reply(180, { headers: [contact] });
    });
    const signsIn = { authentication: "digest", user: "agent", password: "secret" } as const;
    const trunk = await openSipTrunk(trunkAt(`127.0.0.1:${callee.port}`, signsIn));
    const call = await placeCall(trunk, to);
    await until("it rings there", () => callee.heard("INVITE").length === 1);
    await call.hangUp();
    await until("it is cancelled", () => callee.heard("CANCEL").length === 1);
    expect(callee.heard("CANCEL")[0]?.header("reason")).toBe('Q.850;cause=16;text="Normal call clearing"');
    expect(callee.heard("CANCEL")[0]?.header("via")).toBe(callee.heard("INVITE")[1]?.header("via"));
    await trunk.close();
    await callee.close();
  });
});
