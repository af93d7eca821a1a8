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
/** A node passes it on as it is, which a browser that was told of none drops. */
const mayHear = (which: (typeof planes)[number]): number[][] =>
  which === "in process" ? [[0]] : [[0], [comfortNoise, 0], [0, comfortNoise]];

/** The tone, comfort noise, and the tone again; what the browser is sent meanwhile. */
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

  it.each(lengths)("of $packetMs ms in $codec, which it asks for too, are heard, and it hears us", async (sent) => {
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
    // Read at half its rate, a tone in G.722 is an octave lower.
    if (codec === "PCMU") await expectTone(440, () => call.rtp.listen(300));
    else await expectTone(220, () => call.rtp.listenWide(300));
    expect(call.kinds()).toEqual(["answered"]);
    await call.close();
  });

  it("of comfort noise are no audio, and its audio is heard after them", async () => {
    const call = await startTrunkCall(plane, {
      sdp: (sdp) =>
        sdp.replace("RTP/AVP 0 101", "RTP/AVP 0 13 101").replace("a=rtpmap:101", "a=rtpmap:13 CN/8000\r\na=rtpmap:101"),
    });
    expect(mayHear(which)).toContainEqual(numbersOf(await expectHeardAround(call)));
    await call.close();
  });

  it("of comfort noise that it never announced are no audio either", async () => {
    const call = await startTrunkCall(plane);
    expect(mayHear(which)).toContainEqual(numbersOf(await expectHeardAround(call)));
    await call.close();
  });
});

describe("a far end that is joined with a browser, in process", () => {
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

  it("is silent by its comfort noise, and heard again after that", async () => {
    const call = await startTrunkCall(plane);
    await expectBothWays(call);
    // Of three, each hears a mix.
    const { legId: third } = await plane.openCarrierLeg({ browserLegId: call.browserLegId });
    await call.rooms.meet([call.browserLegId, call.carrierLegId, third]);
    await expectBothWays(call);
    const [noise] = await Promise.all([call.browser.listen(800), call.rtp.sendComfortNoise({ to: call.to, ms: 900 })]);
    expect(loudness(noise.subarray(-1_600))).toBeLessThan(50);
    await expectBothWays(call);
    await call.close();
  });
});
