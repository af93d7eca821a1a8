import { loudness } from "@leadline/adapter-kit/conformance/tone";
import { openStage, type Stage } from "@leadline/carrier-sip-trunk/testing/start-callees";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import type { MediaPlane } from "../media-plane.ts";
import {
  expectBothWays,
  expectTone,
  openPlane,
  planes,
  startTrunkCall,
  type TrunkCall,
} from "../../testing/media/start-trunk-call.ts";

const comfortNoise = 13;
const numbersOf = (packets: readonly { payloadType: number }[]): number[] => [
  ...new Set(packets.map(({ payloadType }) => payloadType)),
];
/** rtpengine passes comfort noise on unchanged, and a browser that didn't negotiate it drops it. */
const mayHear = (which: (typeof planes)[number]): number[][] =>
  which === "in process" ? [[0]] : [[0], [comfortNoise, 0], [0, comfortNoise]];

/** Sends the tone, comfort noise and the tone again, and checks what reaches the browser meanwhile. */
async function expectHeardAround(call: TrunkCall): Promise<TrunkCall["browser"]["packets"]> {
  await expectBothWays(call);
  const from = call.browser.packets.length;
  await call.rtp.sendComfortNoise({ to: call.to, ms: 600 });
  await expectBothWays(call);
  return call.browser.packets.slice(from);
}

describe.each(planes)("a far end's packets, %s", (which) => {
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

  const lengths = [10, 30, 40, 60].flatMap((packetMs) => [
    { packetMs, codec: "PCMU" as const },
    { packetMs, codec: "G722" as const },
  ]);

  it.each(lengths)("of $packetMs ms in $codec, with the matching ptime, are heard in both directions", async (sent) => {
    const { packetMs, codec } = sent;
    const inCodec = (sdp: string) =>
      codec === "G722" ? sdp.replace("RTP/AVP 0 101", "RTP/AVP 9 101").replace("rtpmap:0 PCMU", "rtpmap:9 G722") : sdp;
    const sdp = (described: string) => `${inCodec(described)}a=ptime:${packetMs}\r\na=maxptime:${packetMs}\r\n`;
    const call = await startTrunkCall(plane, { sdp });
    await expectTone(1_000, async () => {
      const [heard] = await Promise.all([
        call.browser.listen(480),
        call.rtp.sendTone({ to: call.to, hz: 1_000, ms: 480, packetMs, codec }),
      ]);
      return heard;
    });
    call.browser.sendTone(440);
    // Decoded at half its rate, a G.722 tone is an octave lower.
    if (codec === "PCMU") await expectTone(440, () => call.rtp.listen(300));
    else await expectTone(220, () => call.rtp.listenWide(300));
    expect(call.kinds()).toEqual(["answered"]);
    await call.close();
  });

  it("of comfort noise are not treated as audio, and the audio after them is heard", async () => {
    const call = await startTrunkCall(plane, {
      sdp: (sdp) =>
        sdp.replace("RTP/AVP 0 101", "RTP/AVP 0 13 101").replace("a=rtpmap:101", "a=rtpmap:13 CN/8000\r\na=rtpmap:101"),
    });
    expect(mayHear(which)).toContainEqual(numbersOf(await expectHeardAround(call)));
    await call.close();
  });

  it("of unannounced comfort noise are not treated as audio either", async () => {
    const call = await startTrunkCall(plane);
    expect(mayHear(which)).toContainEqual(numbersOf(await expectHeardAround(call)));
    await call.close();
  });
});

describe("a far end that is mixed with a browser, in process", () => {
  let stage: Stage;
  let plane: MediaPlane;
  beforeAll(async () => {
    stage = await openStage();
    plane = await openPlane("in process", stage);
  });
  afterAll(async () => {
    await plane.shutDown();
    await stage.close();
  });

  it("is silent during its comfort noise, and heard again afterwards", async () => {
    const call = await startTrunkCall(plane);
    await expectBothWays(call);
    // Of three participants, each hears a mix.
    const { legId: third } = await plane.openCarrierLeg({ browserLegId: call.browserLegId });
    await call.rooms.meet([call.browserLegId, call.carrierLegId, third]);
    await expectBothWays(call);
    const [noise] = await Promise.all([call.browser.listen(800), call.rtp.sendComfortNoise({ to: call.to, ms: 900 })]);
    expect(loudness(noise.subarray(-1_600))).toBeLessThan(50);
    await expectBothWays(call);
    await call.close();
  });
});
