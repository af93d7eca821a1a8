import { loudness, shareAt, toneSamples } from "@leadline/adapter-kit/conformance/tone";
import { startRawRtp } from "@leadline/carrier-sip-trunk/testing/start-raw-rtp";
import { expect, onTestFinished, test } from "vitest";
import { placeRawTrunkCall } from "../../../testing/raw-trunk-call.ts";
import { readCall, testAppWithCalls, waitForStatus } from "../../../testing/test-calls.ts";

// No page is near these calls.
const app = testAppWithCalls(undefined, { unattendedMs: 600_000 });
const price = 20_000;
const sentLoudness = loudness(toneSamples(440, { from: 0, length: 8_000 }));

test("a metered transfer to a number with a price is a second call over the trunk, bridged with the first, and both are charged", async () => {
  const { rep, peer, rtp, callSid, to } = await placeRawTrunkCall(app, { pricePerMinute: price });
  const target = await startRawRtp();
  onTestFinished(() => target.close());
  const get = async (path: `/${string}`) => (await app.ask("GET", path, { token: rep.token })).json();
  const isNew = (text: string) => !/^To:.*;tag=/im.test(text);
  // The far end is put on hold for the transfer, and taken back.
  const answerHolds = async (): Promise<never> => {
    for (;;) {
      const again = await peer.next(({ what, text }) => what === "INVITE" && !isNew(text));
      peer.reply(again, "200 OK", { body: rtp.describe() });
    }
  };
  void answerHolds().catch(() => {});

  const body = { phoneNumber: "+12025550102" };
  const asked = await app.ask("POST", `/v1/calls/${callSid}/transfer`, { token: rep.token, body });
  expect(asked.statusCode).toBe(200);
  const invite = await peer.next(({ what, text }) => what === "INVITE" && isNew(text));
  expect(invite.text).toMatch(/^INVITE sip:\+?12025550102@/);
  peer.reply(invite, "200 OK", { body: target.describe() });
  await expect.poll(() => readCall(app, rep, callSid)).toMatchObject({ line: null, transfer: { status: "taken" } });
  const { joinedWith } = await readCall(app, rep, callSid);
  const second = joinedWith?.callSid ?? "";

  const toTarget = { address: "127.0.0.1", port: Number(/^m=audio (\d+)/m.exec(invite.body)?.[1]) };
  const hears = (hz: number, sound: Int16Array): boolean =>
    shareAt(hz, sound) > 0.9 && Math.abs(loudness(sound) / sentLoudness - 1) < 0.3;
  await expect
    .poll(async () => {
      const [here, there] = await Promise.all([
        rtp.listen(500),
        target.listen(500),
        rtp.sendTone({ to, hz: 440, ms: 600 }),
        target.sendTone({ to: toTarget, hz: 1_000, ms: 600 }),
      ]);
      return { firstHearsTarget: hears(1_000, here), targetHearsFirst: hears(440, there) };
    })
    .toEqual({ firstHearsTarget: true, targetHearsFirst: true });
  expect((await get("/v1/limits")).used).toMatchObject({
    concurrentCalls: 2,
    callsPerMinute: 2,
    dailySpend: 2 * price,
  });

  peer.request(peer.asCallee(invite), "BYE", { cseq: 1 });
  peer.reply(await peer.next("BYE"), "200 OK");
  for (const each of [callSid, second])
    expect(await waitForStatus(app, rep, { callSid: each, status: "completed" })).toMatchObject({
      cause: { reason: "transferred" },
      costMicros: price,
    });
  const { entries } = await get("/v1/billing/entries?kind=call");
  expect(entries).toHaveLength(2);
  for (const each of [callSid, second])
    expect(entries).toContainEqual(expect.objectContaining({ callSid: each, amountMicros: -price }));
  expect(peer.all("REFER")).toEqual([]);
});
