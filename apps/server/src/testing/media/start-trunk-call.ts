import { setTimeout as sleep } from "node:timers/promises";

import { createInOrder } from "@leadline/adapter-kit/in-order";
import type { CarrierLeg, CarrierLegEvent } from "@leadline/adapter-kit/carrier";
import { shareAt } from "@leadline/adapter-kit/conformance/tone";
import { carrier } from "@leadline/carrier-sip-trunk/server";
import type { Stage } from "@leadline/carrier-sip-trunk/testing/start-callees";
import { startRawPeer } from "@leadline/carrier-sip-trunk/testing/start-raw-peer";
import { startRawRtp } from "@leadline/carrier-sip-trunk/testing/start-raw-rtp";
import { startRtpengine } from "@leadline/carrier-sip-trunk/testing/start-rtpengine";
import { expect, vi } from "vitest";

import type { MediaPlane } from "../../media-plane/media-plane.ts";
import { openMediaPlane } from "../../media-plane/open-media-plane.ts";
import { openTestBrowser } from "./test-browser.ts";
import { roomsOf } from "./rooms-of.ts";

const log = { info() {}, warn() {}, error() {} } as never;

/** The media plane as deployed: in this process, or with an rtpengine in front. */
export const planes = ["in process", "rtpengine"] as const;

export async function openPlane(which: (typeof planes)[number], stage: Stage): Promise<MediaPlane> {
  const rtpengines = which === "in process" ? [] : [await startNode(stage)];
  return openMediaPlane({ rtpengines, mediaAddress: null }, log);
}

async function startNode(stage: Stage) {
  const { port } = await stage.keep(startRtpengine(stage.peers, { folder: stage.folder }));
  return { host: "127.0.0.1", port };
}

export interface TrunkCallOptions {
  /** The far end's answer; by default the RTP socket's own description. */
  sdp?: (described: string) => string;
  headers?: readonly string[];
  contentType?: string;
  settings?: object;
  /** The far end's port; any free one by default. */
  rtpPort?: number;
  opus?: boolean;
  g722?: boolean;
}

/** A call from a browser through a trunk to a raw peer, which has answered. */
export async function startTrunkCall(plane: MediaPlane, options: TrunkCallOptions = {}) {
  const { sdp = (described) => described, headers = [], contentType = "application/sdp" } = options;
  const [peer, rtp] = await Promise.all([startRawPeer(), startRawRtp({ port: options.rtpPort ?? 0 })]);
  const browser = await openTestBrowser({ opus: options.opus ?? false, g722: options.g722 ?? false });
  const { legId: browserLegId, answer } = await plane.openBrowserLeg(browser.offer);
  const connected = new Promise<void>((resolve) =>
    plane.onBrowserLegState(({ legId, state }) => legId === browserLegId && state === "connected" && resolve()),
  );
  await browser.acceptAnswer(answer);
  const trunk = await carrier.open(
    carrier.settings.parse({
      host: `127.0.0.1:${peer.port}`,
      transport: "udp",
      authentication: "ip",
      ...options.settings,
    }),
  );
  const { legId: carrierLegId, offer } = await plane.openCarrierLeg({ browserLegId });
  const rooms = roomsOf(plane);
  await rooms.talk(browserLegId, carrierLegId);
  const events: CarrierLegEvent[] = [];
  const failures: unknown[] = [];
  const inOrder = createInOrder();
  const leg: CarrierLeg = await trunk.dial({
    callSid: "CA1",
    to: "+12025550101",
    callerId: null,
    offer,
    onEvent(event) {
      events.push(event);
      if (!("answer" in event)) return;
      inOrder(() => plane.acceptCarrierAnswer(carrierLegId, event.answer)).catch((error) => failures.push(error));
    },
  });
  const invite = await peer.next("INVITE");
  peer.reply(invite, "200 OK", { body: sdp(rtp.describe()), headers, contentType });
  await peer.next("ACK");
  await connected;
  await vi.waitFor(() => expect(events.map(({ type }) => type)).toContain("answered"));
  const sdpPort = (text: string): number => Number(/^m=audio (\d+)/m.exec(text)?.[1]);
  let cseq = 0;

  return {
    peer,
    rtp,
    browser,
    trunk,
    leg,
    invite,
    browserLegId,
    carrierLegId,
    rooms,
    events,
    failures,
    /** Where the far end sends its audio. */
    to: { address: "127.0.0.1", port: sdpPort(invite.body) },
    kinds: () => events.map(({ type }) => type),
    /** Sends a request inside the dialog and returns the response. */
    async ask(method: string, parts: { body?: string; contentType?: string; headers?: readonly string[] } = {}) {
      cseq += 1;
      peer.request(peer.asCallee(invite), method, { cseq, ...parts });
      const mine = `${cseq} ${method}`;
      const answered = await peer.next(({ what, header }) => /^[2-6]/.test(what) && header("cseq") === mine);
      if (method === "INVITE") peer.request(peer.asCallee(invite), "ACK", { cseq });
      await inOrder(async () => {});
      return answered;
    },
    async close(): Promise<void> {
      await leg.hangUp();
      await plane.close(carrierLegId);
      await plane.close(browserLegId);
      await Promise.all([trunk.close(), browser.close()]);
      rtp.close();
      await peer.close();
      expect(failures).toEqual([]);
    },
  };
}

export type TrunkCall = Awaited<ReturnType<typeof startTrunkCall>>;

/** Listens until this tone is heard; a busy machine needs time. */
export async function expectTone(hz: number, listen: () => Promise<Int16Array>): Promise<void> {
  const shares: number[] = [];
  while (shares.length < 12 && !shares.some((share) => share > 0.9)) {
    const heard = await listen();
    shares.push(heard.length < 800 ? 0 : shareAt(hz, heard));
  }
  expect(
    Math.max(...shares),
    `${hz} Hz, of which was heard ${shares.map((share) => share.toFixed(2)).join(" ")}`,
  ).toBeGreaterThan(0.9);
}

/**
 * Checks that each end hears the other one's tone. The far end sends first: until then, a sender that used our port for
 * another test's call could be mistaken for it.
 */
export async function expectBothWays(call: TrunkCall, { farRtp = call.rtp } = {}): Promise<void> {
  await expectFarEndHeard(call, { farRtp });
  call.browser.sendTone(440);
  await expectTone(440, () => farRtp.listen(300));
}

export async function expectFarEndHeard(call: TrunkCall, { farRtp = call.rtp, hz = 1_000 } = {}): Promise<void> {
  await expectTone(hz, async () => {
    const [heard] = await Promise.all([call.browser.listen(400), farRtp.sendTone({ to: call.to, hz, ms: 400 })]);
    return heard;
  });
}

/** Checks that a far end is sent nothing for a while. */
export async function expectNothingSent(rtp: TrunkCall["rtp"], forMs = 600): Promise<void> {
  await sleep(300);
  const before = rtp.received.length;
  await sleep(forMs);
  expect(rtp.received.slice(before).map(({ payloadType }) => payloadType)).toEqual([]);
}
