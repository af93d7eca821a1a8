import { openStage, type Stage } from "@leadline/carrier-sip-trunk/testing/start-callees";
import { startRawRtp } from "@leadline/carrier-sip-trunk/testing/start-raw-rtp";
import { purestShareAt } from "@leadline/adapter-kit/conformance/tone";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import type { MediaPlane } from "../media-plane.ts";
import {
  expectBothWays,
  expectFarEndHeard,
  expectTone,
  openPlane,
  planes,
  startTrunkCall,
} from "../../testing/media/start-trunk-call.ts";

describe.each(planes)("a far end whose audio moves, %s", (which) => {
  let stage: Stage;
  let plane: MediaPlane;
  beforeAll(async () => {
    stage = await openStage();
    plane = await openPlane(which, stage);
  });
  afterAll(async () => {
    await plane.shutDown();
    await stage.close();
  });

  it("is heard from its new port and sent audio there, without any signalling", async () => {
    const call = await startTrunkCall(plane);
    await expectBothWays(call);
    const moved = await startRawRtp();
    await Promise.all([expectTone(440, () => moved.listen(400)), moved.sendTone({ to: call.to, hz: 700, ms: 5_000 })]);
    await expectFarEndHeard(call, { farRtp: moved, hz: 700 });
    expect(call.kinds()).toEqual(["answered"]);
    moved.close();
    await call.close();
  });

  it("is still heard after a stray packet from another port", async () => {
    const call = await startTrunkCall(plane);
    await expectBothWays(call);
    const stray = await startRawRtp();
    await stray.sendTone({ to: call.to, hz: 700, ms: 20 });
    await expectFarEndHeard(call);
    await sleep(1_000);
    await stray.sendTone({ to: call.to, hz: 700, ms: 20 });
    await expectFarEndHeard(call);
    expect(stray.received.length).toBe(0);
    await expectTone(440, () => call.rtp.listen(300));
    stray.close();
    await call.close();
  });

  it("is heard although a stray packet arrived before its first one", async () => {
    const stray = await startRawRtp();
    const call = await startTrunkCall(plane);
    await stray.sendTone({ to: call.to, hz: 700, ms: 20 });
    await expectBothWays(call);
    expect(stray.received).toEqual([]);
    stray.close();
    await call.close();
  });

  it("moves immediately to the address in a re-INVITE", async () => {
    const call = await startTrunkCall(plane);
    await expectBothWays(call);
    const moved = await startRawRtp();
    await call.ask("INVITE", { body: moved.describe() });
    await Promise.all([expectTone(440, () => moved.listen(300)), moved.sendTone({ to: call.to, hz: 700, ms: 1_000 })]);
    await expectFarEndHeard(call, { farRtp: moved, hz: 700 });
    const before = call.rtp.received.length;
    await sleep(200);
    expect(call.rtp.received.length).toBe(before);
    moved.close();
    await call.close();
  });

  it.each([
    { named: "its sequence jumps back by 3,000", first: { sequence: 7_000 } },
    { named: "its sequence and timestamps jump back", first: { sequence: 7_000, timestamp: 16_000 } },
    { named: "its SSRC changes", first: { sequence: 1, timestamp: 0, ssrc: 0x5eed } },
  ])("is heard after $named", async ({ first }) => {
    const call = await startTrunkCall(plane);
    await call.rtp.sendTone({ to: call.to, hz: 700, ms: 400, sequence: 10_000, timestamp: 320_000 });
    await expectFarEndHeard(call);
    // The packets that follow are consecutive: only the first one says where the stream starts.
    await call.rtp.sendTone({ to: call.to, hz: 700, ms: 20, ...first });
    const { ssrc } = { ssrc: undefined, ...first };
    await expectTone(1_000, async () => {
      const to = { to: call.to, hz: 1_000, ms: 400, ...(ssrc !== undefined && { ssrc }) };
      const [heard] = await Promise.all([call.browser.listen(400), call.rtp.sendTone(to)]);
      return heard;
    });
    expect(call.kinds()).toEqual(["answered"]);
    await call.close();
  });

  it("is not replaced by a stranger, neither while it sends audio nor afterwards", async () => {
    const call = await startTrunkCall(plane);
    await expectBothWays(call);
    const stranger = await startRawRtp({ host: "127.0.0.9" });
    const [heard] = await Promise.all([
      call.browser.listen(4_000),
      call.rtp.sendTone({ to: call.to, hz: 1_000, ms: 4_000 }),
      stranger.sendTone({ to: call.to, hz: 700, ms: 4_000, ssrc: 99 }),
    ]);
    expect(purestShareAt(700, heard)).toBeLessThan(0.1);
    await stranger.sendTone({ to: call.to, hz: 700, ms: 4_000, ssrc: 99 });
    await sleep(500);
    expect(stranger.received.length).toBe(0);
    await expectFarEndHeard(call);
    stranger.close();
    await call.close();
  });
});
