import { stat } from "node:fs/promises";

import { askToTransfer } from "@leadline/adapter-kit/conformance/ask-to-transfer";
import { placeCall } from "@leadline/adapter-kit/conformance/place-call";
import { loudness, purestShareAt } from "@leadline/adapter-kit/conformance/tone";
import { writeRtpDescription } from "@leadline/adapter-kit/rtp/rtp-description";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { openSipTrunk } from "../open-sip-trunk.ts";
import { settings } from "../settings.ts";
import { openSipPeer } from "../testing/sip-peer.ts";
import { account, number, openStage, type Stage } from "../testing/start-callees.ts";
import { startLinphonec } from "../testing/start-linphonec.ts";
import { startPbx } from "../testing/start-pbx.ts";
import { until } from "../testing/start-program.ts";
import { soundOfWave } from "../testing/wave.ts";

const nearHz = 800;
const farHz = 1_300;
/** More than a second at 48 kHz. */
const enoughBytes = 120_000;

const body = writeRtpDescription({ host: "127.0.0.1", port: 9, codecs: ["PCMU"], telephoneEventType: null });

describe("far ends that are connected to each other without us", () => {
  it("are identified to each other by the second one's dialog, which then ends", async () => {
    const pbx = await startPbx();
    const given = { host: `127.0.0.1:${pbx.port}`, transport: "udp", authentication: "ip" };
    const trunk = await openSipTrunk(settings.parse(given));
    const [first, second] = await Promise.all([placeCall(trunk, "+12025550100"), placeCall(trunk, "+12025550101")]);
    await Promise.all([first.answered(), second.answered()]);
    expect(await askToTransfer(first.leg, second.leg).settled()).toEqual({ type: "taken" });
    await second.ended();
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
  ])("are not transferred if %s, and stay with us", async (_, headers) => {
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

describe("two linphonecs that are connected to each other without us", () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage();
  });
  afterAll(() => stage.close());

  it("talk directly: one calls the other, which ends its call with us", async () => {
    const { peers, folder } = stage;
    const [near, far] = await Promise.all([
      stage.keep(startLinphonec(peers, { folder, user: number("02"), toneHz: nearHz })),
      stage.keep(startLinphonec(peers, { folder, user: number("07"), toneHz: farHz })),
    ]);
    const { port } = await stage.kamailio({ callees: { "02": near.port, "07": far.port } });
    const given = { host: `127.0.0.1:${port}`, transport: "udp", authentication: "digest", ...account };
    const trunk = await openSipTrunk(settings.parse(given));
    const [first, second] = await Promise.all([placeCall(trunk, number("02")), placeCall(trunk, number("07"))]);
    await Promise.all([first.answered(), second.answered()]);
    const recordings = [near, far].map((one) => one.recordNext());
    expect(await askToTransfer(first.leg, second.leg).settled()).toEqual({ type: "taken" });
    expect(await second.ended(10_000)).toMatchObject({ reason: "hung-up-there" });
    await first.hangUp();
    second.endpoint.close();
    expect(first.kinds()).not.toContain("ended");
    await until("their sound", () =>
      [near, far].every((one) => /Media streams established .* for call 2/.test(one.output())),
    );
    const isHeard = async (path: string): Promise<boolean> => {
      const file = await stat(path).catch(() => null);
      return file !== null && file.size > enoughBytes;
    };
    await until("a second of it", async () => (await Promise.all(recordings.map(isHeard))).every(Boolean));
    far.command("terminate");
    await until("the end", () => /Call 2 .* ended/.test(near.output()) && /Call 2 .* ended/.test(far.output()));
    const shareHeard = async (hz: number, path = ""): Promise<number> => {
      await until("what it heard", async () => loudness(await soundOfWave(path)) > 500);
      return purestShareAt(hz, await soundOfWave(path));
    };
    expect(await shareHeard(farHz, recordings[0])).toBeGreaterThan(0.8);
    expect(await shareHeard(nearHz, recordings[1])).toBeGreaterThan(0.8);
    await trunk.close();
  });
});
