import type { PayloadTypes, RtpCodec } from "@leadline/adapter-kit/rtp/rtp-description";
import type { RtpPacket } from "@leadline/adapter-kit/rtp/rtp-packet";
import type { RTCCertificate } from "werift";

import { type BrowserLegState, type LegStats, UnusableOffer } from "../media-plane.ts";
import { type BrowserOffer, readBrowserOffer, writeBrowserAnswer } from "./browser-description.ts";
import { createBrowserTransport } from "./browser-transport.ts";
import { createListeners, type Listeners } from "./listeners.ts";
import { formatOf } from "./packet-formats.ts";
import { createReception } from "./reception.ts";
import { createRtpStream } from "./rtp-stream.ts";
import { createSoundDecoder, type SoundDecoder } from "./audio-codecs.ts";

export interface BrowserLeg extends Listeners {
  side: "browser";
  answer(): string;
  restart(offerSdp: string): Promise<string>;
  /** Its G.711 codec, and the payload types of the others. */
  codec: BrowserOffer["codec"];
  types: PayloadTypes;
  /** Whether packets of this codec can be passed to it unchanged: its own G.711 law, and the wideband codecs. */
  takes(codec: RtpCodec): boolean;
  decoder: SoundDecoder;
  stream: ReturnType<typeof createRtpStream>;
  send(packet: RtpPacket | null): void;
  checkLiveness(): void;
  stats(): LegStats;
  close(): void;
}

/** A browser's side of a call. */
export async function openBrowserLeg({
  offer: firstOffer,
  onState,
  ...ours
}: {
  offer: string;
  certificate: RTCCertificate;
  publicAddress: string | null;
  onState: (state: BrowserLegState) => void;
}): Promise<BrowserLeg> {
  let offer = readBrowserOffer(firstOffer);
  let version = 1;
  const reception = createReception();
  const stream = createRtpStream();
  const decoder = createSoundDecoder();
  const listeners = createListeners(decoder);
  const { codec, telephoneEventType, opus, takesG722 } = offer;
  const types: PayloadTypes = { telephoneEventType, opus };
  const transport = createBrowserTransport({
    ...ours,
    onState(state) {
      if (state === "closed") {
        listeners.clear();
        decoder.close();
      }
      onState(state);
    },
    onPacket(packet) {
      const format = formatOf(packet.payloadType, types);
      reception.note(packet, format);
      if (format) listeners.emit(packet, format);
    },
  });
  const answer = (): string => writeBrowserAnswer(offer, { ...transport.ourSide(), version });

  await transport.gather(offer);
  transport.startDtls(offer);
  onState("connecting");
  return {
    side: "browser",
    onPacket: listeners.onPacket,
    listen: listeners.listen,
    codec,
    types,
    takes: (each) => (each === "opus" ? opus !== undefined : each === "G722" ? takesG722 : each === codec),
    decoder,
    stream,
    answer,
    close: transport.close,
    async restart(offerSdp) {
      const next = readBrowserOffer(offerSdp);
      if (next.fingerprints[0]?.value !== offer.fingerprints[0]?.value) {
        throw new UnusableOffer("The browser’s new offer is not from the same connection.");
      }
      const isRestart = next.usernameFragment !== offer.usernameFragment;
      offer = { ...next, codec, ...types, takesG722, weStartDtls: offer.weStartDtls };
      version++;
      if (isRestart) await transport.gather(offer);
      return answer();
    },
    send(packet) {
      if (packet) transport.send(packet);
    },
    checkLiveness: transport.checkLiveness,
    stats: () => reception.stats(stream.packetsSent()),
  };
}
