import { readFile } from "node:fs/promises";

import type { CarrierLegEvent } from "@leadline/adapter-kit/carrier";
import { writeRtpDescription } from "@leadline/adapter-kit/rtp/rtp-description";
import { drawSdesKeys, readSdesKeys, withSdesKeys } from "@leadline/adapter-kit/rtp/sdes";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { openSipTrunk } from "../open-sip-trunk.ts";
import { settings } from "../settings.ts";
import type { Heard } from "../testing/heard.ts";
import { makeCertificate } from "../testing/make-certificate.ts";
import { openSipPeer, openTcpPeer } from "../testing/sip-peer.ts";
import { number, openStage, type Stage } from "../testing/start-callees.ts";
import { freePort, until } from "../testing/start-program.ts";

const host = "127.0.0.1";
const clear = writeRtpDescription({ host, port: 9, codecs: ["PCMU"], telephoneEventType: null });
const withKeys = withSdesKeys(clear, drawSdesKeys().slice(0, 1)).replace("RTP/AVP", "RTP/SAVP");

describe("a call whose SRTP keys were exchanged over TLS", () => {
  let stage: Stage;
  let tls: { key: string; cert: string };
  beforeAll(async () => {
    stage = await openStage();
    const made = await makeCertificate(stage.peers, stage.folder, host);
    tls = { key: await readFile(made.key, "utf8"), cert: made.authority };
  });
  afterAll(() => stage.close());

  /** Answered over TLS by a far end whose Contact then names UDP or TCP. */
  async function callWhoseContactNames(transport: "udp" | "tcp") {
    const [overTls, inTheClear]: [Heard[], Heard[]] = [[], []];
    const agree = (heard: Heard): void => void (/^(BYE|OPTIONS|UPDATE)$/.test(heard.what) && heard.reply(200));
    const udp = await openSipPeer({ host, onHeard: agree });
    const tcp = await openTcpPeer({ host, onHeard: (heard) => (inTheClear.push(heard), agree(heard)) });
    const port = transport === "udp" ? udp.port : tcp.port;
    const headers = [`Contact: <sip:peer@${host}:${port};transport=${transport}>`];
    const secure = await openTcpPeer({
      host,
      tls,
      onHeard(heard) {
        overTls.push(heard);
        if (heard.what === "INVITE") heard.reply(200, { headers, body: withKeys });
        else agree(heard);
      },
    });
    const localPort = await freePort();
    const open = () =>
      openSipTrunk(
        settings.parse({
          host: `${host}:${secure.port}`,
          transport: "tls",
          authentication: "ip",
          certificateAuthority: tls.cert,
          mediaEncryption: "required",
          localPort,
        }),
      );
    let trunk = await open();
    const events: CarrierLegEvent[] = [];
    const offer = withSdesKeys(clear, drawSdesKeys());
    const onEvent = (event: CarrierLegEvent): void => void events.push(event);
    let leg = await trunk.dial({ callSid: "CA1", to: number("01"), callerId: null, offer, onEvent });
    await until("the answer", () => events.length > 0);
    return {
      leg,
      /** Resumes the call in another process from the snapshot. */
      async goOn(snapshot: unknown) {
        leg.leave?.();
        await trunk.close();
        trunk = await open();
        const resumed = await trunk.resume?.({ snapshot, onEvent });
        if (!resumed) throw new Error("the call did not go on");
        leg = resumed;
      },
      events,
      udp,
      localPort,
      invites: () => overTls.filter(({ what }) => what === "INVITE"),
      heardOverTls: () => overTls.map(({ what }) => what),
      heardInTheClear: () => [...udp.all, ...inTheClear].map(({ text }) => text),
      async end() {
        await leg.hangUp();
        await trunk.close();
        await Promise.all([secure, udp, tcp].map((peer) => peer.close()));
      },
    };
  }

  it.each(["udp", "tcp"] as const)(
    "continues over TLS only, although its far end's Contact names %s",
    async (named) => {
      const call = await callWhoseContactNames(named);
      await call.leg.setHold?.(true);
      await until("the hold", () => call.invites().length === 2);
      expect(readSdesKeys(call.invites()[1]?.body ?? "")).not.toEqual([]);
      await until("its acknowledgement", () => call.heardOverTls().filter((what) => what === "ACK").length === 2);
      const toHangUp = JSON.stringify(call.leg.snapshot?.({ withKeys: false }));
      expect([toHangUp.includes("RTP/SAVP"), toHangUp.includes("crypto")]).toEqual([true, false]);
      await call.goOn(JSON.parse(JSON.stringify(call.leg.snapshot?.({ withKeys: true }))));
      await until("word of where we are now", () => call.invites().length === 3);
      const [first, , last] = call.invites();
      expect(last?.body).toMatch(/ RTP\/SAVP [^]*a=sendonly/);
      expect(readSdesKeys(last?.body ?? "")).toEqual(readSdesKeys(first?.body ?? ""));
      await until("its acknowledgement", () => call.heardOverTls().filter((what) => what === "ACK").length === 3);
      await call.end();
      expect(call.heardOverTls().at(-1)).toBe("BYE");
      expect(call.heardInTheClear()).toEqual([]);
      expect(call.events.map(({ type }) => type)).toEqual(["answered", "resumed", "still-there"]);
    },
  );

  it("sends no key to a far end that asks over an unencrypted transport, by its own offer or by requesting ours", async () => {
    const call = await callWhoseContactNames("udp");
    const [invite] = call.invites();
    const callId = invite?.header("call-id") ?? "";
    const toTag = /;tag=([^;\s]+)/.exec(invite?.header("from") ?? "")?.[1] ?? "";
    const asks = [
      { method: "INVITE", cseq: 2, body: withKeys },
      { method: "INVITE", cseq: 3 },
      { method: "UPDATE", cseq: 4, body: withKeys },
    ];
    for (const { method, ...ask } of asks) {
      call.udp.sendCall(call.localPort, method, { callId, toTag, ...ask });
      const answer = (): Heard | undefined =>
        call.udp.all.find((each) => each.header("cseq") === `${ask.cseq} ${method}` && !each.what.startsWith("1"));
      await until("an answer", () => answer() !== undefined);
      expect(answer()?.what).toBe("488");
      if (method === "INVITE") call.udp.sendCall(call.localPort, "ACK", { callId, toTag, cseq: ask.cseq });
    }
    expect(call.heardInTheClear().join("")).not.toContain("crypto");
    await call.end();
  });
});
