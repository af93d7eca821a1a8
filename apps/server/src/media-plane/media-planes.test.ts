import { openRtpEndpoint } from "@leadline/adapter-kit/conformance/rtp-endpoint";
import { toneSamples } from "@leadline/adapter-kit/conformance/tone";
import { encodeSound } from "@leadline/adapter-kit/rtp/g711";
import { openStage } from "@leadline/carrier-sip-trunk/testing/start-callees";
import { startRtpengine } from "@leadline/carrier-sip-trunk/testing/start-rtpengine";
import { expect, onTestFinished, test } from "vitest";

import { expectPure } from "./expect-pure.ts";
import { LegGone } from "./media-plane.ts";
import { openMediaPlane } from "./open-media-plane.ts";
import { openTestBrowser } from "./test-browser.ts";
import { createLog } from "../log.ts";

test("beside rtpengines, what the server says itself, calls without a browser and sealed ones stay in this process", async () => {
  const stage = await openStage();
  onTestFinished(() => stage.close());
  const { port } = await stage.keep(startRtpengine(stage.peers, { folder: stage.folder }));
  const plane = await openMediaPlane(
    { rtpengines: [{ host: "127.0.0.1", port }], mediaAddress: null },
    createLog("fatal"),
  );
  const browsers = await Promise.all([openTestBrowser(), openTestBrowser()]);
  const farEnd = await openRtpEndpoint();
  onTestFinished(async () => {
    for (const browser of browsers) await browser.close();
    farEnd.close();
    await plane.shutDown();
  });

  const { legId: carrierLegId, offer } = await plane.openCarrierLeg();
  farEnd.acceptAnswer(offer);
  await plane.acceptCarrierAnswer(carrierLegId, farEnd.offer);
  const played = plane.play(carrierLegId, encodeSound(toneSamples(700, { from: 0, length: 16_000 }), "PCMU"));
  await expectPure(700, farEnd);
  await played;

  const [held, own] = browsers;
  const { legId: heldLegId } = await plane.openBrowserLeg(held?.offer ?? "");
  await expect(plane.bridge(heldLegId, carrierLegId)).rejects.toThrow(LegGone);

  const { legId, answer } = await plane.openBrowserLeg(own?.offer ?? "", { carrierLegId });
  await own?.acceptAnswer(answer);
  await plane.bridge(legId, carrierLegId);
  own?.sendTone(440);
  await expectPure(440, farEnd);

  expect([plane.givesKeys(heldLegId), plane.canJoin(carrierLegId)]).toEqual([false, true]);
  expect((await plane.openCarrierLeg({ browserLegId: heldLegId })).offer).not.toContain("a=crypto");
  const sealed = await plane.openBrowserLeg(own?.offer ?? "", { wantsKeys: true });
  expect(plane.givesKeys(sealed.legId)).toBe(true);
  expect((await plane.openCarrierLeg({ browserLegId: sealed.legId })).offer).toContain("a=crypto");
});
