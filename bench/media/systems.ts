import { carrier } from "@leadline/carrier-sandbox/server";
import { createRtpenginePlane } from "../../apps/server/src/media-plane/rtpengine/rtpengine-plane.ts";
import { askAt } from "../../testing/sign-up.ts";
import { startApp } from "../../testing/start-app.ts";
import { signUpCallers } from "./callers.ts";

/** The system that carries the measured calls. */
export interface MeasuredSystem {
  pid: number;
  /** Of separate media servers. */
  mediaPids: readonly number[];
  /** Dials, and answers the browser's offer. */
  start(index: number, call: { phoneNumber: string; offer: string }): Promise<string>;
  /** One request, as pages send them during calls. */
  ask(): Promise<unknown>;
  stopAll(): Promise<void>;
  close(): Promise<void>;
}

export interface Rtpengine {
  port: number;
  pid: number;
}

/** The whole app with this many users, one per call; on its own media plane, or on rtpengines. */
export async function appWith(calls: number, rtpengines: readonly Rtpengine[]): Promise<MeasuredSystem> {
  const RTPENGINES = rtpengines.map(({ port }) => `udp:127.0.0.1:${port}`).join(",");
  const app = await startApp({ env: { TRUSTED_PROXIES: "127.0.0.1", RTPENGINES } });
  const callers = await signUpCallers(app.address, calls);
  const tokenOf = (index: number): string => callers[index]?.token ?? "";
  const callSids = new Map<number, string>();
  return {
    pid: app.pid,
    mediaPids: rtpengines.map(({ pid }) => pid),
    async start(index, body) {
      const { callSid, answer } = await askAt(app.address, "/v1/calls", { body, token: tokenOf(index) });
      callSids.set(index, callSid);
      return answer;
    },
    ask: () => askAt(app.address, "/v1/users/me", { token: tokenOf(0) }),
    async stopAll() {
      for (const [index, callSid] of callSids)
        await askAt(app.address, `/v1/calls/${callSid}/hang-up`, { method: "POST", token: tokenOf(index) });
      callSids.clear();
    },
    close: () => app.stop(),
  };
}

/** rtpengine under the same calls without the app: no API, no database, no users. */
export async function bareRtpengine(rtpengine: Rtpengine): Promise<MeasuredSystem> {
  const log = { info: () => {}, warn: () => {} };
  const plane = await createRtpenginePlane([{ host: "127.0.0.1", port: rtpengine.port }], { log });
  const callees = await carrier.open({});
  const open: (() => Promise<unknown>)[] = [];
  return {
    pid: process.pid,
    mediaPids: [rtpengine.pid],
    async start(index, { phoneNumber, offer }) {
      const { legId: browserLegId, answer } = await plane.openBrowserLeg(offer);
      const far = await plane.openCarrierLeg({ browserLegId });
      const leg = await callees.dial({
        callSid: `CA${index}`,
        to: phoneNumber,
        callerId: null,
        offer: far.offer,
        onEvent: (event) => event.type === "answered" && void plane.acceptCarrierAnswer(far.legId, event.answer),
      });
      open.push(() => Promise.all([leg.hangUp(), plane.close(far.legId), plane.close(browserLegId)]));
      return answer;
    },
    ask: async () => {},
    stopAll: async () => void (await Promise.all(open.splice(0).map((stop) => stop()))),
    async close() {
      await callees.close();
      await plane.shutDown();
    },
  };
}
