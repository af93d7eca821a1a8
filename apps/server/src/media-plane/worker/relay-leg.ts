import {
  isG711,
  type PayloadTypes,
  readRtpDescription,
  type RtpDescription,
  writeRtpDescription,
} from "@leadline/adapter-kit/rtp/rtp-description";
import { parseRtpPacket, writeRtpPacket } from "@leadline/adapter-kit/rtp/rtp-packet";
import { openRtpSocketEverywhere, senderOf } from "@leadline/adapter-kit/rtp/rtp-socket";

import { UnusableOffer } from "../media-plane.ts";
import type { BrowserLeg } from "./browser-leg.ts";
import { createListeners } from "./listeners.ts";
import { formatOf } from "./packet-formats.ts";
import { createReception } from "./reception.ts";
import { createRtpStream } from "./rtp-stream.ts";
import { createSoundDecoder } from "./audio-codecs.ts";

/** A browser leg whose ICE and DTLS are handled by another server, which passes the audio on as plain RTP. */
export async function openRelayLeg(offer: string, onClosed: () => void): Promise<BrowserLeg> {
  let theirs = read(offer);
  const socket = await openRtpSocketEverywhere();
  const stream = createRtpStream();
  const reception = createReception();
  const decoder = createSoundDecoder();
  const listeners = createListeners(decoder);

  const answer = (): string =>
    writeRtpDescription({ ...theirs, host: "127.0.0.1", port: socket.address().port, codecs: [leg.codec] });

  socket.on("message", (datagram, from) => {
    if (senderOf(from) !== theirs.host) return;
    const packet = parseRtpPacket(datagram);
    if (!packet) return;
    const format = formatOf(packet.payloadType, leg.types);
    reception.note(packet, format);
    if (format) listeners.emit(packet, format);
  });

  const leg: BrowserLeg = {
    side: "browser",
    onPacket: listeners.onPacket,
    listen: listeners.listen,
    codec: theirs.codec,
    types: typesOf(theirs),
    takes: (codec) => codec === leg.codec,
    decoder,
    stream,
    answer,
    async restart(next) {
      theirs = read(next);
      leg.codec = theirs.codec;
      leg.types = typesOf(theirs);
      return answer();
    },
    send(packet) {
      if (packet) socket.send(writeRtpPacket(packet), theirs.port, theirs.host);
    },
    // The server that carries the connection checks it.
    checkLiveness: () => {},
    stats: () => reception.stats(stream.packetsSent()),
    close() {
      listeners.clear();
      decoder.close();
      socket.close();
      onClosed();
    },
  };
  return leg;
}

const typesOf = ({ telephoneEventType }: RtpDescription): PayloadTypes => ({ telephoneEventType });

function read(offer: string): RtpDescription & { codec: BrowserLeg["codec"] } {
  const description = readRtpDescription(offer);
  const codec = description?.codecs.find(isG711);
  if (!description || codec === undefined) throw new UnusableOffer("The description has neither PCMU nor PCMA.");
  return { ...description, codec };
}
