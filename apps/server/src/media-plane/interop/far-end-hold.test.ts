import { openStage, type Stage } from "@leadline/carrier-sip-trunk/testing/start-callees";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import type { MediaPlane } from "../media-plane.ts";
import {
  expectBothWays,
  expectFarEndHeard,
  expectNothingSent,
  expectTone,
  openPlane,
  planes,
  startTrunkCall,
} from "../../testing/media/start-trunk-call.ts";

describe.each(planes)("a far end that puts us on hold, %s", (which) => {
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

  const direction = (sdp: string) => /^a=(sendrecv|sendonly|recvonly|inactive)\r$/m.exec(sdp)?.[1];
  const atSessionLevel = (sdp: string) => sdp.replace("t=0 0\r\n", "t=0 0\r\na=sendonly\r\n");
  const zeros = (sdp: string) => sdp.replace(/^c=.*$/m, "c=IN IP4 0.0.0.0");

  it.each([
    { named: "a=sendonly", method: "INVITE", hold: (sdp: string) => `${sdp}a=sendonly\r\n`, answered: "recvonly" },
    { named: "a=sendonly for the session", method: "INVITE", hold: atSessionLevel, answered: "recvonly" },
    {
      named: "a=sendonly by UPDATE",
      method: "UPDATE",
      hold: (sdp: string) => `${sdp}a=sendonly\r\n`,
      answered: "recvonly",
    },
    { named: "a=inactive", method: "INVITE", hold: (sdp: string) => `${sdp}a=inactive\r\n`, answered: "inactive" },
    { named: "c=0.0.0.0", method: "INVITE", hold: zeros, answered: "recvonly" },
    {
      named: "c=0.0.0.0 with a=inactive",
      method: "INVITE",
      hold: (sdp: string) => `${zeros(sdp)}a=inactive\r\n`,
      answered: "inactive",
    },
  ])("is sent nothing after $named, and hears us again after sendrecv", async ({ method, hold, answered }) => {
    const call = await startTrunkCall(plane);
    await expectBothWays(call);

    const held = await call.ask(method, { body: hold(call.rtp.describe()) });
    expect(held.what).toBe("200");
    expect(direction(held.body)).toBe(answered);
    await expectNothingSent(call.rtp);
    expect(call.kinds()).toContain("held");
    if (answered === "recvonly") await expectFarEndHeard(call, { hz: 700 });

    const resumed = await call.ask(method, { body: call.rtp.describe(["a=sendrecv"]) });
    expect(direction(resumed.body)).toBe("sendrecv");
    await expectTone(440, () => call.rtp.listen(300));
    await expectFarEndHeard(call);
    expect(call.kinds().at(-1)).toBe("resumed");
    await call.close();
  });

  it("is sent nothing while every media line is closed with port 0", async () => {
    const call = await startTrunkCall(plane);
    await expectBothWays(call);
    const closed = await call.ask("INVITE", { body: call.rtp.describe().replace(/^m=audio \d+/m, "m=audio 0") });
    expect(closed.what).toBe("200");
    expect(closed.body).toMatch(/^m=audio 0 /m);
    await expectNothingSent(call.rtp);
    await call.ask("INVITE", { body: call.rtp.describe() });
    await expectBothWays(call);
    await call.close();
  });

  it("is sent nothing if its first answer is a hold, until it resumes", async () => {
    const call = await startTrunkCall(plane, { sdp: zeros });
    call.browser.sendTone(440);
    await expectNothingSent(call.rtp);
    expect(call.kinds()).toContain("held");
    await call.ask("INVITE", { body: call.rtp.describe() });
    await expectBothWays(call);
    await call.close();
  });

  it("doesn't hear our hold music while both sides hold", async () => {
    const call = await startTrunkCall(plane);
    await expectBothWays(call);
    await call.ask("INVITE", { body: call.rtp.describe(["a=sendonly"]) });
    await call.rooms.hold(call.carrierLegId, true);
    await expectNothingSent(call.rtp);
    await call.ask("INVITE", { body: call.rtp.describe() });
    const before = call.rtp.received.length;
    await call.rtp.listen(500);
    expect(call.rtp.received.length).toBeGreaterThan(before + 10);
    await call.rooms.hold(call.carrierLegId, false);
    await expectBothWays(call);
    await call.close();
  });
});
