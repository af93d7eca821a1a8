import type { CarrierListener, InboundCall } from "@leadline/adapter-kit/carrier";
import { placeCall } from "@leadline/adapter-kit/conformance/place-call";
import { openRtpEndpoint } from "@leadline/adapter-kit/conformance/rtp-endpoint";
import { purestShareAt } from "@leadline/adapter-kit/conformance/tone";

import { openSipTrunk, type OpenSipTrunk } from "../open-sip-trunk.ts";
import { settings } from "../settings.ts";
import { freePort, until } from "./start-program.ts";
import { type RawPeerOptions, startRawPeer } from "./start-raw-peer.ts";
import { startRawRtp } from "./start-raw-rtp.ts";

type Dropped = Parameters<NonNullable<CarrierListener["onDropped"]>>[0];
type AudioRefused = Parameters<NonNullable<CarrierListener["onAudioRefused"]>>[0];

/** A trunk whose only server is a raw peer with an RTP socket. `close` ends all of it. */
export async function openRawTrunk(
  rest: object = {},
  peerOptions: RawPeerOptions = {},
  options: Pick<OpenSipTrunk, "resolver"> = {},
) {
  const peer = await startRawPeer(peerOptions);
  const rtp = await startRawRtp();
  const calls: InboundCall[] = [];
  const dropped: Dropped[] = [];
  const audioRefused: AudioRefused[] = [];
  const localPort = await freePort();
  const transport = peerOptions.tcp === true ? "tcp" : "udp";
  const given = { host: `127.0.0.1:${peer.port}`, transport, authentication: "ip", localPort, ...rest };
  const trunk = await openSipTrunk(settings.parse(given), {
    listener: {
      onState: () => {},
      onInbound: (call) => void calls.push(call),
      onDropped: (each) => void dropped.push(each),
      onAudioRefused: (each) => void audioRefused.push(each),
    },
    ...options,
  });
  await until("the trunk asks for us", () => peer.received.length > 0);
  const endpoints: { close(): void }[] = [];

  /**
   * The share of the remote tone in what arrives, 0 to 1, at the worse end; the best of a few tries on a busy machine.
   */
  async function talk(endpoint: Awaited<ReturnType<typeof openRtpEndpoint>>) {
    endpoint.sendTone(440);
    let best = 0;
    for (let tries = 0; tries < 5 && best < 0.9; tries++) {
      const [here, there] = await Promise.all([
        endpoint.listen(700),
        rtp.listen(700),
        rtp.sendTone({ to: { address: "127.0.0.1", port: endpoint.port }, hz: 700, ms: 700 }),
      ]);
      best = Math.max(best, Math.min(purestShareAt(700, here), purestShareAt(440, there)));
    }
    return best;
  }

  return {
    peer,
    rtp,
    trunk,
    calls,
    dropped,
    audioRefused,
    place: { address: "127.0.0.1", port: localPort },
    talk,
    async dial() {
      const call = await placeCall(trunk, "+12025550101");
      endpoints.push(call.endpoint);
      return { ...call, invite: await peer.next("INVITE") };
    },
    /** Starts a call from the peer with these bytes. */
    async ring(text: string): Promise<InboundCall> {
      const before = calls.length;
      peer.send(text, { address: "127.0.0.1", port: localPort });
      await until("a call", () => calls.length > before);
      const call = calls[before];
      if (!call) throw new Error("no call came");
      return call;
    },
    /** Answers such a call, as the media plane does. */
    async take(call: InboundCall) {
      const endpoint = await openRtpEndpoint();
      endpoints.push(endpoint);
      const kinds: string[] = [];
      /** The peer's descriptions that the media plane was given, in order. */
      const described: string[] = [];
      const leg = await call.answer({
        offer: endpoint.offer,
        onEvent(event) {
          kinds.push(event.type);
          if ("answer" in event) described.push(event.answer);
          if (event.type === "answered") endpoint.acceptAnswer(event.answer);
        },
      });
      return { leg, endpoint, kinds, described };
    },
    async close(): Promise<void> {
      await trunk.close();
      for (const endpoint of endpoints) endpoint.close();
      rtp.close();
      await peer.close();
    },
  };
}

export type RawTrunk = Awaited<ReturnType<typeof openRawTrunk>>;
