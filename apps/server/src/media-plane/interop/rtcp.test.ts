import { setTimeout as sleep } from "node:timers/promises";

import { middleOf, ntpTime, type Report, writeReport } from "@leadline/adapter-kit/rtp/rtcp";
import { openStage, type Stage } from "@leadline/carrier-sip-trunk/testing/start-callees";
import { freePort } from "@leadline/carrier-sip-trunk/testing/start-program";
import { startRawRtcp } from "@leadline/carrier-sip-trunk/testing/start-raw-rtcp";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";

import type { MediaPlane } from "../media-plane.ts";
import { expectBothWays, openPlane, startTrunkCall, type TrunkCall } from "../../testing/media/start-trunk-call.ts";

type RawRtcp = Awaited<ReturnType<typeof startRawRtcp>>;

const farSsrc = 0x1eadf00d;
const patience = { interval: 50 };
const opened: { close(): void }[] = [];

async function openRtcp(options: Parameters<typeof startRawRtcp>[0] = {}): Promise<RawRtcp> {
  const rtcp = await startRawRtcp(options);
  opened.push(rtcp);
  return rtcp;
}

/** A far end with an RTCP port next to its RTP port. */
async function openPorts(): Promise<{ rtpPort: number; rtcp: RawRtcp }> {
  const rtpPort = await freePort();
  return { rtpPort, rtcp: await openRtcp({ port: rtpPort + 1 }) };
}

/** Sends the far end's audio until `done` resolves. */
async function whileSpeaking<T>(call: TrunkCall, done: Promise<T>): Promise<T> {
  const ended = new AbortController();
  const speaking = (async () => {
    while (!ended.signal.aborted) await call.rtp.sendTone({ to: call.to, hz: 1_000, ms: 200 });
  })();
  const result = await done.finally(() => ended.abort());
  await speaking;
  return result;
}

/** Reports for this call only: another test's call may still send reports to the previous owner of these ports. */
const heard = (call: TrunkCall, rtcp: RawRtcp) =>
  rtcp.received.filter(({ from }) => from.port === call.to.port || from.port === call.to.port + 1);

const nextReport = (call: TrunkCall, rtcp: RawRtcp, isWanted: (report: Report) => boolean = () => true) =>
  vi.waitFor(() => {
    const found = heard(call, rtcp).find(({ report }) => isWanted(report));
    if (!found) throw new Error(`no such report among ${rtcp.received.length}`);
    return found;
  }, patience);

const senderReport = (ntp = ntpTime(Date.now())): Buffer =>
  writeReport(
    { ssrc: farSsrc, sender: { ntp, timestamp: 160, packets: 1, octets: 160 }, blocks: [] },
    { cname: "far@end" },
  );

afterEach(() => {
  for (const each of opened.splice(0)) each.close();
});

describe("RTCP reports to a far end, in process", () => {
  let stage: Stage;
  let plane: MediaPlane;
  beforeAll(async () => {
    stage = await openStage();
    plane = await openPlane("in process", stage);
  });
  afterAll(async () => {
    await plane.shutDown();
    await stage.close();
  });

  it("contain what we send and receive, and go to the port after its RTP port", { timeout: 60_000 }, async () => {
    const { rtpPort, rtcp } = await openPorts();
    const call = await startTrunkCall(plane, { rtpPort });
    await expectBothWays(call);
    const first = await whileSpeaking(
      call,
      nextReport(call, rtcp, ({ sender, blocks }) => sender !== null && blocks.length > 0),
    );
    const { sender, blocks, ssrc } = first.report;
    const before = call.rtp.received.filter((packet) => packet.ssrc === ssrc && packet.atMs <= first.atMs);
    expect(before.length).toBeGreaterThan(20);
    expect(Math.abs((sender?.packets ?? 0) - before.length)).toBeLessThan(15);
    expect(blocks[0]).toMatchObject({ ssrc: farSsrc, lost: 0, fractionLost: 0 });
    expect(first.names.get(ssrc)).toMatch(/^\S{8,}$/);
    expect(rtcp.unread).toEqual([]);
    await call.close();
  });

  it("go to the port that it names, and to no other", { timeout: 60_000 }, async () => {
    const { rtpPort, rtcp: next } = await openPorts();
    const named = await openRtcp();
    const call = await startTrunkCall(plane, { rtpPort, sdp: (sdp) => `${sdp}a=rtcp:${named.port}\r\n` });
    await expectBothWays(call);
    await whileSpeaking(call, nextReport(call, named));
    expect(heard(call, next)).toEqual([]);
    await call.close();
  });
});

describe("a browser's RTCP reports, through an rtpengine", () => {
  let stage: Stage;
  let plane: MediaPlane;
  beforeAll(async () => {
    stage = await openStage();
    plane = await openPlane("rtpengine", stage);
  });
  afterAll(async () => {
    await plane.shutDown();
    await stage.close();
  });

  it.each([
    { named: "the port after its RTP's", names: false },
    { named: "the port that it names", names: true },
  ])("reach the far end at $named", async ({ names }) => {
    const { rtpPort, rtcp: next } = await openPorts();
    const other = await openRtcp();
    const sdp = (described: string) => (names ? `${described}a=rtcp:${other.port}\r\n` : described);
    const call = await startTrunkCall(plane, { rtpPort, sdp });
    await expectBothWays(call);
    const ssrc = call.browser.sent[0]?.ssrc ?? 0;
    const sender = { ntp: ntpTime(Date.now()), timestamp: 160, packets: 7, octets: 1_120 };
    const report = writeReport({ ssrc, sender, blocks: [] }, { cname: "browser" });
    await vi.waitFor(async () => {
      await call.browser.sendReport(report);
      expect(heard(call, names ? other : next).map(({ report: got }) => got)).toContainEqual({
        ssrc,
        sender,
        blocks: [],
      });
    });
    expect(heard(call, names ? next : other)).toEqual([]);
    await call.close();
  });
});

describe("RTCP reports from a far end, in process", () => {
  let stage: Stage;
  let plane: MediaPlane;
  beforeAll(async () => {
    stage = await openStage();
    plane = await openPlane("in process", stage);
  });
  afterAll(async () => {
    await plane.shutDown();
    await stage.close();
  });

  it("are answered with loss, jitter and the time of its last report", { timeout: 60_000 }, async () => {
    const { rtpPort, rtcp } = await openPorts();
    const call = await startTrunkCall(plane, { rtpPort });
    await call.rtp.sendTone({ to: call.to, hz: 1_000, ms: 200, sequence: 65_530 });
    await call.rtp.sendTone({ to: call.to, hz: 1_000, ms: 200, sequence: 65_545 });
    const ntp = ntpTime(Date.now());
    rtcp.send(senderReport(ntp), { ...call.to, port: call.to.port + 1 });
    const { report, from } = await nextReport(call, rtcp, ({ blocks }) => blocks.length > 0);
    const [block] = report.blocks;
    expect(block).toMatchObject({ ssrc: farSsrc, lost: 5, fractionLost: Math.floor((5 * 256) / 25) });
    expect(block?.highestSequence).toBe(65_554);
    expect(block?.lastReport).toBe(middleOf(ntp));
    expect(block?.sinceLastReport).toBeGreaterThan(0);
    expect(from.port).toBe(call.to.port + 1);

    const { sender, ssrc } = report;
    const ours = call.rtp.received.filter((packet) => packet.ssrc === ssrc);
    expect(sender?.octets).toBe((sender?.packets ?? 0) * 160);
    const last = ours.findLast(({ atMs }) => atMs <= (heard(call, rtcp)[0]?.atMs ?? 0));
    expect(Math.abs((sender?.timestamp ?? 0) - (last?.timestamp ?? 0))).toBeLessThan(8_000);
    expect(Math.abs((sender?.ntp.seconds ?? 0) - ntp.seconds)).toBeLessThan(60);
    await call.close();
  });

  it("are not audio: a call that receives nothing else still counts as silent", { timeout: 60_000 }, async () => {
    const call = await startTrunkCall(plane);
    await expectBothWays(call);
    const rtcp = await openRtcp();
    const before = await plane.stats(call.carrierLegId);
    for (let i = 0; i < 10; i++) {
      for (const port of [call.to.port, call.to.port + 1]) rtcp.send(senderReport(), { ...call.to, port });
      call.rtp.send(senderReport(), call.to);
      await sleep(60);
    }
    const after = await plane.stats(call.carrierLegId);
    expect(after?.packetsReceived).toBe(before?.packetsReceived);
    expect(after?.sinceLastPacketMs).toBeGreaterThan((before?.sinceLastPacketMs ?? 0) + 400);
    await expectBothWays(call);
    await call.close();
  });

  it("end with a BYE", async () => {
    const { rtpPort, rtcp } = await openPorts();
    const call = await startTrunkCall(plane, { rtpPort });
    await expectBothWays(call);
    const { ssrc } = call.rtp.received[0] ?? {};
    await call.close();
    await vi.waitFor(() => expect(heard(call, rtcp).flatMap(({ gone }) => gone)).toEqual([ssrc]));
  });

  it("continue while the far end is on hold, and stop when it names no address", { timeout: 60_000 }, async () => {
    const { rtpPort, rtcp } = await openPorts();
    const call = await startTrunkCall(plane, { rtpPort });
    await expectBothWays(call);
    await call.ask("INVITE", { body: call.rtp.describe(["a=sendonly"]) });
    const before = heard(call, rtcp).length;
    await vi.waitFor(() => expect(heard(call, rtcp).length).toBeGreaterThan(before), patience);
    await call.ask("INVITE", { body: call.rtp.describe().replace("c=IN IP4 127.0.0.1", "c=IN IP4 0.0.0.0") });
    const heldAt = heard(call, rtcp).length;
    await sleep(9_000);
    expect(heard(call, rtcp).length).toBe(heldAt);
    await call.close();
  });

  it("share the RTP port if the far end offers rtcp-mux, and the audio continues", { timeout: 60_000 }, async () => {
    const { rtpPort, rtcp } = await openPorts();
    const call = await startTrunkCall(plane, { rtpPort });
    expect(call.invite.body).not.toContain("rtcp");
    const changed = await call.ask("INVITE", { body: call.rtp.describe(["a=rtcp-mux"]) });
    expect(changed.body).toContain("a=rtcp-mux\r\n");
    const own = heard(call, rtcp).length;
    // Without the marker bit, a sender or receiver report has payload type 72 or 73.
    const reports = () => call.rtp.received.filter(({ payloadType }) => payloadType === 72 || payloadType === 73);
    await vi.waitFor(() => expect(reports().length).toBeGreaterThan(0), patience);
    call.rtp.send(senderReport(), call.to);
    await expectBothWays(call);
    expect(heard(call, rtcp).length).toBe(own);
    const back = await call.ask("INVITE", { body: call.rtp.describe() });
    expect(back.body).not.toContain("rtcp-mux");
    await call.close();
  });

  it(
    "go only to the host of its audio, whatever it names, and a stranger's reports are ignored",
    { timeout: 60_000 },
    async () => {
      const { rtpPort, rtcp } = await openPorts();
      const elsewhere = await openRtcp({ host: "127.0.0.2" });
      const sdp = (described: string) => `${described}a=rtcp:${elsewhere.port} IN IP4 127.0.0.2\r\n`;
      const named = await openRtcp({ port: elsewhere.port });
      const call = await startTrunkCall(plane, { rtpPort, sdp });
      await call.rtp.sendTone({ to: call.to, hz: 1_000, ms: 400 });
      elsewhere.send(senderReport(), { ...call.to, port: call.to.port + 1 });
      const { report } = await nextReport(call, named, ({ blocks }) => blocks.length > 0);
      expect(report.blocks[0]?.lastReport).toBe(0);
      await call.close();
      expect(heard(call, elsewhere)).toEqual([]);
      expect(elsewhere.unread).toEqual([]);
      expect(heard(call, rtcp)).toEqual([]);
    },
  );
});
