import type { RtpPacket } from "@leadline/adapter-kit/rtp/rtp-packet";

import type { PacketFormat } from "./packet-formats.ts";
import type { SoundDecoder, DecodedSound } from "./audio-codecs.ts";

export type PacketListener = (packet: RtpPacket, format: PacketFormat | null) => void;

/** The listeners to what arrives on a leg. */
export function createListeners(decoder: SoundDecoder) {
  const listeners = new Set<PacketListener>();
  /** Returns an unsubscribe function. */
  function onPacket(listener: PacketListener): () => void {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  }
  return {
    emit: (packet: RtpPacket, format: PacketFormat | null): void =>
      listeners.forEach((listener) => listener(packet, format)),
    onPacket,
    /** The leg's audio at 8 kHz. */
    listen: (onAudio: (read: DecodedSound) => void): (() => void) =>
      onPacket((packet, format) => {
        const read = format?.codec && decoder.read(packet, format.codec);
        if (read) onAudio(read);
      }),
    clear: (): void => listeners.clear(),
  };
}
export type Listeners = Pick<ReturnType<typeof createListeners>, "onPacket" | "listen">;
