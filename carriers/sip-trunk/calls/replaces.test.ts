import { askToTransfer } from "@leadline/adapter-kit/conformance/ask-to-transfer";
import { placeCall } from "@leadline/adapter-kit/conformance/place-call";
import { writeRtpDescription } from "@leadline/adapter-kit/rtp/rtp-description";
import { describe, expect, it } from "vitest";

import { openSipTrunk } from "../open-sip-trunk.ts";
import { settings } from "../settings.ts";
import { openSipPeer } from "../testing/sip-peer.ts";
import { startPbx } from "../testing/start-pbx.ts";

const body = writeRtpDescription({ host: "127.0.0.1", port: 9, codecs: ["PCMU"], telephoneEventType: null });

describe("far ends that we leave to each other", { timeout: 20_000 }, () => {
  it("are named to one another by the dialog that the second knows, and that one ends it", async () => {
    const pbx = await startPbx();
    const given = { host: `127.0.0.1:${pbx.port}`, transport: "udp", authentication: "ip" };
    const trunk = await openSipTrunk(settings.parse(given));
    const [first, second] = await Promise.all([placeCall(trunk, "+12025550100"), placeCall(trunk, "+12025550101")]);
    await Promise.all([first.answered(), second.answered()]);
    expect(await askToTransfer(first.leg, second.leg).settled()).toEqual({ type: "taken" });
    await second.ended(5_000);
    const [, invite] = pbx
      .heard("INVITE")
      .toSorted((one, other) => one.header("to")?.localeCompare(other.header("to") ?? "") ?? 0);
    const callId = encodeURIComponent(invite?.header("call-id") ?? "");
    const tag = /;tag=([^;]+)/.exec(invite?.header("from") ?? "")?.[1];
    expect(pbx.referred).toEqual([
      `<sip:pbx@127.0.0.1:${pbx.port}?Replaces=${callId}%3Bto-tag%3Dpeer%3Bfrom-tag%3D${tag}>`,
    ]);
    await first.hangUp();
    second.endpoint.close();
    await trunk.close();
    await pbx.close();
  });

  it.each([
    ["the first knows no REFER", ["Allow: INVITE, ACK, BYE", "Supported: replaces"]],
    ["the second cannot be replaced", ["Allow: INVITE, ACK, BYE, REFER", "Supported: timer"]],
  ])("are not asked to where %s, and stay with us", async (_, headers) => {
    const peer = await openSipPeer({
      onHeard(heard) {
        const contact = `Contact: <sip:peer@127.0.0.1:${peer.port}>`;
        if (heard.what === "INVITE") heard.reply(200, { headers: [contact, ...headers], body });
        else if (/^[A-Z]/.test(heard.what) && heard.what !== "ACK") heard.reply(200);
      },
    });
    const given = { host: `127.0.0.1:${peer.port}`, transport: "udp", authentication: "ip" };
    const trunk = await openSipTrunk(settings.parse(given));
    const [first, second] = await Promise.all([placeCall(trunk, "+12025550100"), placeCall(trunk, "+12025550101")]);
    await Promise.all([first.answered(), second.answered()]);
    const why = { reason: "not-supported", sip: null };
    expect(await askToTransfer(first.leg, second.leg).settled()).toEqual({ type: "refused", why });
    await Promise.all([first.hangUp(), second.hangUp()]);
    expect([peer.heard("REFER"), peer.heard("BYE").length >= 2]).toEqual([[], true]);
    await trunk.close();
    await peer.close();
  });
});
