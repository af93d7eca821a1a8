import { isIPv4 } from "node:net";

import * as sdpTransform from "sdp-transform";
import { expect, it } from "vitest";

import { openTestBrowser } from "../testing/media/test-browser.ts";
import { createWeriftMediaPlane } from "./werift-media-plane.ts";

it("offers browsers the NAT's public address with each of the machine's own ports, after its own addresses", async () => {
  const plane = await createWeriftMediaPlane({ publicAddress: "203.0.113.7" });
  const browser = await openTestBrowser();
  const { answer } = await plane.openBrowserLeg(browser.offer);
  await browser.close();
  await plane.shutDown();

  const offered = sdpTransform.parse(answer).media[0]?.candidates ?? [];
  const outside = offered.filter(({ ip }) => ip === "203.0.113.7");
  const own = offered.filter(({ ip }) => isIPv4(ip) && ip !== "203.0.113.7");
  expect(outside.length).toBeGreaterThan(0);
  expect(outside.map(({ port }) => port)).toEqual(own.map(({ port }) => port));
  const lowest = Math.min(...own.map(({ priority }) => Number(priority)));
  for (const { priority } of outside) expect(Number(priority)).toBeLessThan(lowest);
});
