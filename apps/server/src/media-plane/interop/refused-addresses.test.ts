import { allowPrivateNetworks } from "@leadline/adapter-kit/outbound/private-networks";
import { openStage, type Stage } from "@leadline/carrier-sip-trunk/testing/start-callees";
import { startRawRtp } from "@leadline/carrier-sip-trunk/testing/start-raw-rtp";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";

import type { MediaPlane } from "../media-plane.ts";
import {
  expectBothWays,
  expectNothingSent,
  openPlane,
  planes,
  startTrunkCall,
} from "../../testing/media/start-trunk-call.ts";

describe.each(planes)("a far end that moves its audio to a private address, %s", (which) => {
  let stage: Stage;
  let plane: MediaPlane;
  beforeAll(async () => {
    stage = await openStage();
    plane = await openPlane(which, stage);
  });
  afterAll(async () => {
    allowPrivateNetworks(["127.0.0.0/8", "::1"]);
    await plane.shutDown();
    await stage.close();
  });

  it("is sent nothing there, and its call ends", async () => {
    const call = await startTrunkCall(plane);
    await expectBothWays(call);
    allowPrivateNetworks(["127.0.0.1"]);
    const inside = await startRawRtp({ host: "127.0.0.9" });
    await call.ask("INVITE", { body: inside.describe() });
    await vi.waitFor(() =>
      expect(call.events.at(-1)).toMatchObject({ type: "ended", cause: { reason: "audio-address-refused" } }),
    );
    await expectNothingSent(inside);
    expect(inside.received).toEqual([]);
    inside.close();
    await call.close();
  });
});
