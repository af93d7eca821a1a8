import { hear } from "@leadline/adapter-kit/conformance/hear";
import { placeCall } from "@leadline/adapter-kit/conformance/place-call";
import { loudness, purestShareAt } from "@leadline/adapter-kit/conformance/tone";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { openSipTrunk } from "../open-sip-trunk.ts";
import { settings, type TrunkSettings } from "../settings.ts";
import { number, openStage, type Stage } from "../testing/start-callees.ts";
import { startBaresip } from "../testing/start-baresip.ts";
import { until } from "../testing/start-program.ts";
import { soundOfWave } from "../testing/wave.ts";

describe.concurrent("a call through a trunk", () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage();
  });
  afterAll(() => stage.close());

  const direct = (port: number, rest: Partial<TrunkSettings> = {}) =>
    openSipTrunk({
      ...settings.parse({ host: `127.0.0.1:${port}`, transport: "udp", authentication: "ip" }),
      ...rest,
    });

  it("is heard before it is answered, if the trunk sends reliable early media", async () => {
    const trunk = await direct(await stage.sipp({ scenario: "early-media", echoes: true }));
    const call = await placeCall(trunk, number("02"));
    await until("early media", () => call.kinds() === "early-media");
    call.endpoint.sendTone(600);
    expect(await hear(call.endpoint, 600)).toBeGreaterThan(0.8);
    expect(call.kinds()).toBe("early-media");
    await call.answered();
    expect(await hear(call.endpoint, 600)).toBeGreaterThan(0.8);
    await call.hangUp();
    await trunk.close();
  });

  it("is refreshed with UPDATE after half of the interval", async () => {
    const trunk = await direct(await stage.sipp({ scenario: "refreshed" }), { sessionSeconds: 4 });
    const call = await placeCall(trunk, number("02"));
    await call.answered();
    expect(await call.ended(20_000)).toEqual({ reason: "hung-up-there", sip: 200, q850: 16 });
    call.endpoint.close();
    await trunk.close();
  });

  it("is refreshed less often if the trunk finds our interval too short", async () => {
    const trunk = await direct(await stage.sipp({ scenario: "too-brief" }), { sessionSeconds: 100 });
    const call = await placeCall(trunk, number("02"));
    await call.answered();
    expect(call.kinds()).toBe("answered");
    await call.hangUp();
    await trunk.close();
  });

  it("ends if the far end stops refreshing it", async () => {
    const trunk = await direct(await stage.sipp({ scenario: "vanished" }), { sessionSeconds: 4 });
    const call = await placeCall(trunk, number("02"));
    await call.answered();
    expect((await call.ended(20_000)).reason).toBe("network-failure");
    call.endpoint.close();
    await trunk.close();
  });

  it.each(["PCMU", "PCMA"] as const)("is heard at both ends in %s", async (codec) => {
    const callee = await stage.keep(
      startBaresip(stage.peers, { folder: stage.folder, user: number("02"), account: ";answermode=auto", toneHz: 500 }),
    );
    const trunk = await direct(callee.port, { codecs: [codec] });
    const call = await placeCall(trunk, number("02"));
    await call.answered();
    call.endpoint.sendTone(800);
    expect(await hear(call.endpoint, 500)).toBeGreaterThan(0.8);
    const recorded = async () => soundOfWave((await callee.recordings())[0] ?? "/dev/null");
    await until("the callee hears the tone", async () => purestShareAt(800, await recorded()) > 0.8);
    await call.hangUp();
    expect(new Set(call.endpoint.packets.map(({ payloadType }) => payloadType))).toEqual(
      new Set([codec === "PCMU" ? 0 : 8]),
    );
    await until("the callee is done", () => callee.events.some(({ type }) => type === "CALL_CLOSED"));
    expect(loudness(await recorded())).toBeGreaterThan(1_000);
    await trunk.close();
  });

  it.each(["rfc4733", "info"] as const)("passes each DTMF digit to the callee once, in order, by %s", async (keys) => {
    const callee = await stage.keep(
      startBaresip(stage.peers, { folder: stage.folder, user: number("02"), account: ";answermode=auto" }),
    );
    const trunk = await direct(callee.port, { keys });
    const call = await placeCall(trunk, number("02"));
    await call.answered();
    if (keys === "info") await call.leg.sendDigits?.("15#*");
    else call.endpoint.sendKeys("15#*");
    const heard = () => callee.events.filter(({ type }) => type === "CALL_DTMF_START").map(({ param }) => param);
    await until("four keys", () => heard().length >= 4);
    await call.endpoint.listen(300);
    expect(heard()).toEqual(["1", "5", "#", "*"]);
    await call.hangUp();
    await trunk.close();
  });

  it("is held and resumed from either end", async () => {
    const callee = await stage.keep(
      startBaresip(stage.peers, { folder: stage.folder, user: number("02"), account: ";answermode=auto", toneHz: 500 }),
    );
    const trunk = await direct(callee.port);
    const call = await placeCall(trunk, number("02"));
    await call.answered();
    await call.leg.setHold?.(true);
    await until("silence from here", async () => (await call.endpoint.listen(400)).length < 400);
    await call.leg.setHold?.(false);
    expect(await hear(call.endpoint, 500)).toBeGreaterThan(0.8);
    callee.command("hold");
    await until("silence from there", async () => (await call.endpoint.listen(200)).length === 0);
    callee.command("resume");
    expect(await hear(call.endpoint, 500)).toBeGreaterThan(0.8);
    expect(call.kinds()).not.toContain("ended");
    await call.hangUp();
    await trunk.close();
  });
});
