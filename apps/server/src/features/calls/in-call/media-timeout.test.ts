import { setTimeout as sleep } from "node:timers/promises";

import { openStage } from "@leadline/carrier-sip-trunk/testing/start-callees";
import { startRawRtp } from "@leadline/carrier-sip-trunk/testing/start-raw-rtp";
import { startRtpengine } from "@leadline/carrier-sip-trunk/testing/start-rtpengine";
import { afterAll, describe, expect, test } from "vitest";
import { carrierModules } from "../../../adapters.ts";
import { readConfig } from "../../../config.ts";
import { placeRawTrunkCall } from "../../../testing/raw-trunk-call.ts";
import { readCall, testAppWithCalls, waitForStatus } from "../../../testing/test-calls.ts";

const stage = await openStage();
afterAll(() => stage.close());
const node = await stage.keep(startRtpengine(stage.peers, { folder: stage.folder }));
const mediaTimeoutMs = 4_000;
/** Far longer than the timeout. */
const longMs = 8_000;

const inProcess = testAppWithCalls(carrierModules, { mediaTimeoutMs });
const onNode = testAppWithCalls(carrierModules, {
  rtpengines: [{ host: "127.0.0.1", port: node.port }],
  mediaTimeoutMs,
});

describe.concurrent.each([
  { named: "in process", app: inProcess },
  { named: "rtpengine", app: onNode },
])("a far end that sends no RTP, $named", ({ app }) => {
  test("ends the call as a media timeout once it stops sending, and the BYE to the trunk says why", async (context) => {
    const { rep, peer, rtp, callSid, to } = await placeRawTrunkCall(app, { context });
    await rtp.sendTone({ to, hz: 700, ms: longMs });
    expect((await readCall(app, rep, callSid)).status).toBe("in-progress");
    const ended = await waitForStatus(app, rep, { callSid, status: "completed" });
    expect(ended.cause).toEqual({ reason: "media-timeout", sip: null, q850: 102 });
    const bye = await peer.next("BYE");
    expect(bye.header("reason")).toBe('Q.850;cause=102;text="No RTP received"');
  });

  test("ends the call if it never sent any", async (context) => {
    const { rep, callSid } = await placeRawTrunkCall(app, { context });
    const ended = await waitForStatus(app, rep, { callSid, status: "completed" });
    expect(ended.cause?.reason).toBe("media-timeout");
  });

  test("keeps the call while it sends nothing but comfort noise", async (context) => {
    const { rep, rtp, callSid, to } = await placeRawTrunkCall(app, { context });
    const head = Buffer.from([0x80, 13, 0, 0, 0, 0, 0, 0, 0, 0, 0, 7, 40]);
    for (let sequence = 1; sequence <= longMs / 500; sequence++) {
      head.writeUInt16BE(sequence, 2);
      head.writeUInt32BE(sequence * 4_000, 4);
      rtp.send(head, to);
      await sleep(500);
    }
    expect((await readCall(app, rep, callSid)).status).toBe("in-progress");
  });

  test("keeps the call while we hold, and ends it if the far end stays silent after that", async (context) => {
    const { rep, callSid } = await placeRawTrunkCall(app, { context });
    const change = (held: boolean) => app.ask("PATCH", `/v1/calls/${callSid}`, { token: rep.token, body: { held } });
    expect((await change(true)).statusCode).toBe(200);
    await sleep(longMs);
    expect((await readCall(app, rep, callSid)).status).toBe("in-progress");
    await change(false);
    const ended = await waitForStatus(app, rep, { callSid, status: "completed" });
    expect(ended.cause?.reason).toBe("media-timeout");
  });

  test.for(["sendonly", "inactive", "recvonly"])(
    "keeps the call while the far end is %s",
    async (direction, context) => {
      const { rep, peer, rtp, callSid, invite } = await placeRawTrunkCall(app, { context });
      peer.request(peer.asCallee(invite), "INVITE", { cseq: 1, body: rtp.describe([`a=${direction}`]) });
      await peer.next(({ what, header }) => what === "200" && header("cseq") === "1 INVITE");
      peer.request(peer.asCallee(invite), "ACK", { cseq: 1 });
      await sleep(longMs);
      expect((await readCall(app, rep, callSid)).status).toBe("in-progress");
    },
  );
});

test("RTP from an unrelated address doesn't keep a call alive", async (context) => {
  const { rep, rtp, callSid, to } = await placeRawTrunkCall(inProcess, { context });
  await rtp.sendTone({ to, hz: 700, ms: 1_000 });
  const stranger = await startRawRtp({ host: "127.0.0.9" });
  context.onTestFinished(stranger.close);
  const sending = stranger.sendTone({ to, hz: 700, ms: 15_000, ssrc: 99 });
  const ended = await waitForStatus(inProcess, rep, { callSid, status: "completed" });
  expect(ended.cause?.reason).toBe("media-timeout");
  await sending;
});

test("the media timeout is a number of seconds, or 0 to turn it off", () => {
  const read = (MEDIA_TIMEOUT_SECONDS: string) => readConfig({ MEDIA_TIMEOUT_SECONDS }, { dev: false }).mediaTimeoutMs;
  expect([read(""), read("5"), read("3600"), read("0")]).toEqual([30_000, 5_000, 3_600_000, null]);
  for (const wrong of ["4", "3601", "-1", "1.5", "30s"])
    expect(() => read(wrong)).toThrow("MEDIA_TIMEOUT_SECONDS must be 0 (never) or a whole number");
});
