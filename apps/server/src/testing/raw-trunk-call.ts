import { startRawPeer } from "@leadline/carrier-sip-trunk/testing/start-raw-peer";
import { startRawRtp } from "@leadline/carrier-sip-trunk/testing/start-raw-rtp";
import { expect, onTestFinished, type TestContext } from "vitest";

import { openTestBrowser } from "./media/test-browser.ts";
import { adjustBalance } from "./set-balance.ts";
import type { TestApp } from "./test-app.ts";
import { newRep, waitForStatus } from "./test-calls.ts";

interface RawTrunkCallOptions {
  /** The far end's answer; by default the RTP socket's own description. */
  sdp?: (described: string) => string;
  headers?: readonly string[];
  pricePerMinute?: number;
  /** Makes the organisation prepaid, with this balance. */
  balanceMicros?: number;
  /** For a test that runs concurrently with others. */
  context?: Pick<TestContext, "onTestFinished">;
}

/**
 * A new rep's call from a browser, through the API and a trunk, to a raw peer that has answered. Everything is closed
 * after the test.
 */
export async function placeRawTrunkCall(app: TestApp, options: RawTrunkCallOptions = {}) {
  const {
    sdp = (described) => described,
    headers = [],
    pricePerMinute,
    balanceMicros,
    context = { onTestFinished },
  } = options;
  const [rep, peer, rtp, browser] = await Promise.all([newRep(app), startRawPeer(), startRawRtp(), openTestBrowser()]);
  context.onTestFinished(async () => {
    await browser.close();
    rtp.close();
    await peer.close();
  });
  const { token } = rep;
  const settings = { host: `127.0.0.1:${peer.port}`, transport: "udp", authentication: "ip" };
  const trunk = { kind: "sip-trunk", label: "Trunk", settings, pricePerMinute };
  await app.ask("POST", "/v1/carriers", { token, body: trunk });
  if (balanceMicros !== undefined) {
    await app.ask("PUT", "/v1/billing/mode", { token, body: { mode: "prepaid", currentPassword: rep.password } });
    await adjustBalance(app.database, { organisationId: rep.organisationId, balanceMicros });
  }
  const inviting = peer.next("INVITE");
  const body = { phoneNumber: "+12025550101", offer: browser.offer };
  const started = await app.ask("POST", "/v1/calls", { token, body });
  expect(started.statusCode).toBe(201);
  const { callSid, answer } = started.json();
  await browser.acceptAnswer(answer);
  const invite = await inviting;
  peer.reply(invite, "200 OK", { body: sdp(rtp.describe()), headers });
  await peer.next("ACK");
  await waitForStatus(app, rep, { callSid, status: "in-progress" });
  const port = Number(/^m=audio (\d+)/m.exec(invite.body)?.[1]);
  return { rep, peer, rtp, browser, callSid, invite, to: { address: "127.0.0.1", port } };
}
