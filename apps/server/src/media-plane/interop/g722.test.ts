import { loudness, shareAt } from "@leadline/adapter-kit/conformance/tone";
import { openStage, type Stage } from "@leadline/carrier-sip-trunk/testing/start-callees";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import type { MediaPlane } from "../media-plane.ts";
import {
  expectFarEndHeard,
  expectTone,
  openPlane,
  planes,
  startTrunkCall,
  type TrunkCall,
} from "../../testing/media/start-trunk-call.ts";

/** A far end that only speaks G.722. */
const inG722 = (sdp: string) => sdp.replace("RTP/AVP 0 101", "RTP/AVP 9 101").replace("rtpmap:0 PCMU", "rtpmap:9 G722");
/** The loudness of the tones that both ends send. */
const sentLoudness = 8_000 / Math.SQRT2;

/** Listens until this tone is heard at its level. */
async function expectWideTone(hz: number, listen: () => Promise<Int16Array>): Promise<void> {
  await expect
    .poll(async () => {
      const heard = await listen();
      const level = loudness(heard) / sentLoudness;
      return heard.length > 1_600 && shareAt(hz, heard, 16_000) > 0.9 && level > 0.7 && level < 1.4;
    })
    .toBe(true);
}

async function expectFarWideTone(
  call: TrunkCall,
  hz: number,
  listen: (ms: number) => Promise<Int16Array>,
): Promise<void> {
  await expectWideTone(hz, async () => {
    const [heard] = await Promise.all([listen(400), call.rtp.sendTone({ to: call.to, hz, ms: 600, codec: "G722" })]);
    return heard;
  });
}

describe.each(planes)("a far end that speaks G.722, %s", (which) => {
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

  it("is offered G.722 last, and exchanges audio with a browser on G.711", async () => {
    const call = await startTrunkCall(plane, { sdp: inG722 });
    expect(call.invite.body).toMatch(/^m=audio \d+ RTP\/AVP 0 8 9 \d+\r$/m);
    expect(call.invite.body).toContain("a=rtpmap:9 G722/8000");
    call.browser.sendTone(1_000);
    await expectWideTone(1_000, () => call.rtp.listenWide(400));
    await expectTone(700, async () => {
      const [heard] = await Promise.all([
        call.browser.listen(400),
        call.rtp.sendTone({ to: call.to, hz: 700, ms: 600, codec: "G722" }),
      ]);
      return heard;
    });
    await call.close();
  });

  it("gets G.722 when a re-INVITE prefers it, and PCMU when a later one prefers that", async () => {
    const call = await startTrunkCall(plane);
    call.browser.sendTone(440);
    await expectTone(440, () => call.rtp.listen(300));
    const both = call.rtp.describe(["a=rtpmap:9 G722/8000"]).replace("RTP/AVP 0 101", "RTP/AVP 9 0 101");
    const changed = await call.ask("INVITE", { body: both });
    expect(changed.body).toMatch(/^m=audio \d+ RTP\/AVP 9 101\r$/m);
    await expectWideTone(440, () => call.rtp.listenWide(400));
    const back = await call.ask("INVITE", { body: call.rtp.describe() });
    expect(back.body).toMatch(/^m=audio \d+ RTP\/AVP 0 101\r$/m);
    await expectTone(440, () => call.rtp.listen(300));
    await expectFarEndHeard(call);
    await call.close();
  });

  it("hears the hold music", async () => {
    const call = await startTrunkCall(plane, { sdp: inG722 });
    await call.rooms.hold(call.carrierLegId, true);
    await expect.poll(async () => loudness(await call.rtp.listenWide(400))).toBeGreaterThan(200);
    await call.close();
  });
});

describe("a far end and a browser that both speak G.722", () => {
  let plane: MediaPlane;
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage();
    plane = await openPlane("in process", stage);
  });
  afterAll(async () => {
    await plane.shutDown();
    await stage.close();
  });

  it("hear each other's wideband tones unchanged", async () => {
    const call = await startTrunkCall(plane, { sdp: inG722, g722: true });
    call.browser.speak("G722");
    call.browser.sendTone(5_500);
    await expectWideTone(5_500, () => call.rtp.listenWide(400));
    await expectFarWideTone(call, 6_500, call.browser.listenWide);
    const sent = new Set(call.browser.sent.map(({ payload }) => payload.toString("hex")));
    const last = call.rtp.received.at(-1)?.payload.toString("hex") ?? "";
    expect(sent.has(last)).toBe(true);
    await call.close();
  });

  it("negotiate G.722 after G.711 and Opus", async () => {
    const call = await startTrunkCall(plane, { g722: true, opus: true });
    const answered = call.browser.connection.remoteDescription?.sdp ?? "";
    expect(answered).toMatch(/^m=audio 9 \S+ 0 111 9 /m);
    await call.close();
  });
});
