import { openStage, type Stage } from "@leadline/carrier-sip-trunk/testing/start-callees";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import type { MediaPlane } from "../media-plane.ts";
import { expectBothWays, expectTone, openPlane, planes, startTrunkCall } from "../../testing/media/start-trunk-call.ts";

const multipart = (sdp: string) =>
  [
    "--sep",
    "Content-Type: text/plain",
    "",
    "hello",
    "--sep",
    "Content-Type: application/sdp",
    "",
    `${sdp}--sep--`,
    "",
  ].join("\r\n");
const inPart = { contentType: 'multipart/mixed; boundary="sep"' };

const descriptions: { named: string; sdp: (sdp: string) => string; contentType?: string }[] = [
  { named: "lines that end with LF alone", sdp: (sdp: string) => sdp.replaceAll("\r\n", "\n") },
  { named: "a count of ports", sdp: (sdp: string) => sdp.replace(/^(m=audio \d+)/m, "$1/1") },
  { named: "a host name", sdp: (sdp: string) => sdp.replace("c=IN IP4 127.0.0.1", "c=IN IP4 localhost") },
  { named: "no rtpmap for PCMU", sdp: (sdp: string) => sdp.replace("a=rtpmap:0 PCMU/8000\r\n", "") },
  { named: "spaces between formats", sdp: (sdp: string) => sdp.replace("RTP/AVP 0 101", "RTP/AVP  0  13  101 ") },
  {
    named: "a closed audio line before the open one",
    sdp: (sdp: string) => sdp.replace("m=audio", "m=audio 0 RTP/AVP 8\r\nm=video 0 RTP/AVP 31\r\nm=audio"),
  },
  { named: "an address for each line", sdp: (sdp: string) => sdp.replace(/^(c=.*\r\n)(t=.*\r\nm=.*\r\n)/m, "$2$1") },
  { named: "a multipart body", sdp: multipart, ...inPart },
  { named: "a ptime of 60", sdp: (sdp: string) => `${sdp}a=ptime:60\r\n` },
];

describe.each(planes)("a far end's answer, %s", (which) => {
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

  it.each(descriptions)("with $named connects audio both ways", async ({ sdp, contentType }) => {
    const call = await startTrunkCall(plane, { sdp, ...(contentType !== undefined && { contentType }) });
    await expectBothWays(call);
    expect(call.kinds()).toEqual(["answered"]);
    await call.close();
  });

  it("with invalid RTP payload types: none of them is used, and DTMF is sent as tones", async () => {
    const outOfRange = (sdp: string) =>
      sdp.replace("RTP/AVP 0 101", "RTP/AVP 300 0 999").replace("rtpmap:101", "rtpmap:300 PCMU/8000\r\na=rtpmap:999");
    const call = await startTrunkCall(plane, { sdp: outOfRange });
    await expectBothWays(call);
    await plane.sendDigits(call.carrierLegId, "5");
    await expectTone(440, () => call.rtp.listen(300));
    expect(new Set(call.rtp.received.map(({ payloadType }) => payloadType))).toEqual(new Set([0]));
    await call.close();
  });

  it("with PCMU under a dynamic payload type: we use that type", async () => {
    const renumbered = (sdp: string) => sdp.replace("RTP/AVP 0 101", "RTP/AVP 96 101").replace("rtpmap:0", "rtpmap:96");
    const call = await startTrunkCall(plane, { sdp: renumbered });
    call.browser.sendTone(440);
    await expectTone(440, () => call.rtp.listen(300, 96));
    await expectTone(1_000, async () => {
      const told = { to: call.to, hz: 1_000, ms: 400, payloadType: 96 };
      const [heard] = await Promise.all([call.browser.listen(400), call.rtp.sendTone(told)]);
      return heard;
    });
    expect(new Set(call.rtp.received.map(({ payloadType }) => payloadType))).toEqual(new Set([96]));
    await call.close();
  });
});
