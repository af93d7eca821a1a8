import {
  type PayloadTypes,
  readRtpDescription,
  type RtpCodec,
  isNowhere,
  takesSound,
  writeRtpDescription,
} from "@leadline/adapter-kit/rtp/rtp-description";
import { isRtcp } from "@leadline/adapter-kit/rtp/rtcp";
import { openRtpSocketEverywhere, senderOf } from "@leadline/adapter-kit/rtp/rtp-socket";
import { drawSdesKeys, withSdesKeys } from "@leadline/adapter-kit/rtp/sdes";

import type { LegStats } from "../media-plane.ts";
import { createListeners, type Listeners } from "./listeners.ts";
import { createFarEndLatch } from "./far-end-latch.ts";
import { createFarEndSender, type Feed } from "./far-end-sender.ts";
import { formatOf } from "./packet-formats.ts";
import { createRtcpSession } from "./rtcp-session.ts";
import { createReception } from "./reception.ts";
import { createRtpStream } from "./rtp-stream.ts";
import { createSealing } from "./srtp-encryption.ts";
import { createSoundDecoder, createSoundEncoder, type SoundDecoder, type SoundEncoder } from "./audio-codecs.ts";

/** The codecs that we accept; the trunk's settings set their order. */
const ourCodecs: RtpCodec[] = ["PCMU", "PCMA", "G722", "opus"];
const defaultTypes: PayloadTypes = { telephoneEventType: 101, opus: { payloadType: 111, telephoneEventType: 110 } };

export interface CarrierLeg extends Listeners {
  side: "carrier";
  offer: string;
  decoder: SoundDecoder;
  encoder: SoundEncoder;
  acceptAnswer(sdp: string): void;
  /** Replaces what the far end hears. */
  hear(feed: Feed): void;
  /** Queues a digit that another far end pressed. */
  takeKey(key: string): void;
  takesKeyEvents(): boolean;
  sendDigits(digits: string): void;
  /** Every 20 ms: sends a digit, the mix, or silence if no browser sends. */
  tick(): void;
  stats(): LegStats;
  close(): void;
}

/** The address for a far end on this machine; a remote one gets our address from its carrier. */
const describedHost = "127.0.0.1";

/** `telephoneEventType`: for a far end that was offered G.711 only, with this payload type for telephone events. */
export async function openCarrierLeg({
  telephoneEventType,
}: { telephoneEventType?: number } = {}): Promise<CarrierLeg> {
  const ourTypes = telephoneEventType === undefined ? defaultTypes : { telephoneEventType };
  const socket = await openRtpSocketEverywhere();
  const stream = createRtpStream();
  const reception = createReception();
  const ourKeys = drawSdesKeys();
  const srtp = createSealing(ourKeys);
  const latch = createFarEndLatch();
  const reports = createRtcpSession({ socket, latch, stream, reception, sealing: srtp });
  const decoder = createSoundDecoder();
  const listeners = createListeners(decoder);
  const encoder = createSoundEncoder();
  const sender = createFarEndSender({
    send(packet) {
      const to = latch.address();
      if (to) socket.send(srtp.encrypt(packet), to.port, to.host);
    },
    stream,
    encoder,
  });

  socket.on("message", (datagram, from) => {
    const peer = sender.peer();
    if (!peer) return;
    if (isRtcp(datagram)) return reports.hear(datagram, from);
    const packet = srtp.open(datagram);
    if (!packet || !latch.takes({ host: senderOf(from), port: from.port })) return;
    // A far end that answered our offer sends our payload types; one that offered sends its own (RFC 3264, sections 5.1
    // and 6.1).
    const format = formatOf(packet.payloadType, peer) ?? formatOf(packet.payloadType, ourTypes);
    reception.note(packet, format);
    listeners.emit(packet, format);
  });

  return {
    side: "carrier",
    onPacket: listeners.onPacket,
    listen: listeners.listen,
    decoder,
    encoder,
    offer: withSdesKeys(
      writeRtpDescription({
        host: describedHost,
        port: socket.address().port,
        codecs: ourCodecs,
        rtcpMux: true,
        ...ourTypes,
      }),
      ourKeys,
    ),
    acceptAnswer(sdp) {
      const description = readRtpDescription(sdp);
      const codec = description?.codecs[0];
      if (!description || codec === undefined)
        throw new Error("The carrier's answer has no audio line in a codec of ours.");
      srtp.agree(sdp);
      if (!isNowhere(description.host)) latch.signal(description);
      reports.signal(description);
      sender.setPeer({ ...description, codec }, { takes: takesSound(description) });
    },
    hear: sender.hear,
    takeKey: sender.takeKey,
    takesKeyEvents: sender.takesKeyEvents,
    sendDigits: sender.sendDigits,
    tick() {
      reports.tick();
      sender.tick();
    },
    stats: () => reception.stats(stream.packetsSent()),
    close() {
      sender.stopPassing();
      listeners.clear();
      decoder.close();
      encoder.close();
      reports.close();
    },
  };
}
