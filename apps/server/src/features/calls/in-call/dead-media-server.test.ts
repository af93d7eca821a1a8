import { openStage } from "@leadline/carrier-sip-trunk/testing/start-callees";
import { startRtpengine } from "@leadline/carrier-sip-trunk/testing/start-rtpengine";
import { afterAll, expect, test } from "vitest";
import { carrierModules } from "../../../adapters.ts";
import { placeRawTrunkCall } from "../../../testing/raw-trunk-call.ts";
import { testAppWithCalls, waitForStatus } from "../../../testing/test-calls.ts";

const stage = await openStage();
afterAll(() => stage.close());
const node = await stage.keep(startRtpengine(stage.peers, { folder: stage.folder }));
const app = testAppWithCalls(carrierModules, { rtpengines: [{ host: "127.0.0.1", port: node.port }] });

test("a call whose rtpengine is killed ends as media-lost, and the BYE to the trunk says why", async () => {
  const { rep, peer, callSid } = await placeRawTrunkCall(app);
  node.process.kill("SIGKILL");
  const bye = await peer.next("BYE");
  expect(bye.header("reason")).toBe('Q.850;cause=41;text="Media server lost"');
  const ended = await waitForStatus(app, rep, { callSid, status: "completed" });
  expect(ended.cause?.reason).toBe("media-lost");
});
