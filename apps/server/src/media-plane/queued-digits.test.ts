import { openRtpEndpoint } from "@leadline/adapter-kit/conformance/rtp-endpoint";
import { readRtpDescription, writeRtpDescription } from "@leadline/adapter-kit/rtp/rtp-description";
import { expect, onTestFinished, test } from "vitest";

import { expectPure } from "../testing/media/expect-pure.ts";
import { openTestBrowser } from "../testing/media/test-browser.ts";
import { createWeriftMediaPlane } from "./werift-media-plane.ts";
import { roomsOf } from "../testing/media/rooms-of.ts";

test("queued DTMF digits don't delay audio once the far end stops accepting telephone events", async () => {
  const plane = await createWeriftMediaPlane();
  const rooms = roomsOf(plane);
  const [browser, farEnd] = await Promise.all([openTestBrowser(), openRtpEndpoint({ telephoneEventType: 97 })]);
  onTestFinished(async () => {
    for (const each of [browser, farEnd]) await each.close();
    await plane.shutDown();
  });
  const { legId: browserLegId, answer } = await plane.openBrowserLeg(browser.offer);
  await browser.acceptAnswer(answer);
  browser.sendTone(440);
  const { legId, offer } = await plane.openCarrierLeg({ browserLegId });
  farEnd.acceptAnswer(offer);
  await plane.acceptCarrierAnswer(legId, farEnd.offer);
  await rooms.talk(browserLegId, legId);
  await expectPure(440, farEnd);

  await plane.sendDigits(legId, "0123456789");
  const described = readRtpDescription(farEnd.offer);
  if (!described) throw new Error("the far end describes nothing");
  await plane.acceptCarrierAnswer(legId, writeRtpDescription({ ...described, telephoneEventType: null }));
  await expectPure(440, farEnd);
  expect(farEnd.packets.at(-1)?.payloadType).toBe(0);
});
