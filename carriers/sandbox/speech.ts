import { readFileSync } from "node:fs";
import { join } from "node:path";

import {
  convertSound,
  encodeSound,
  sampleRate,
  samplesPerPacket,
  silence,
  type SoundCodec,
} from "@leadline/adapter-kit/rtp/g711";

/** Audio split into RTP payloads in advance, so that sending one only costs the datagram. */
export type Clip = Record<SoundCodec, Buffer[]>;

function cut(muLaw: Buffer): Clip {
  const count = Math.ceil(muLaw.length / samplesPerPacket);
  const PCMU = Array.from({ length: count }, (_, i) => {
    const payload = Buffer.from(silence.PCMU);
    muLaw.copy(payload, 0, i * samplesPerPacket, (i + 1) * samplesPerPacket);
    return payload;
  });
  return { PCMU, PCMA: PCMU.map((payload) => convertSound(payload, "PCMU", "PCMA")) };
}

function load(name: string): Clip {
  return cut(readFileSync(join(import.meta.dirname, "speech", `${name}.ulaw`)));
}

function beep(options: { hz: number; lengthMs: number }): Clip {
  const length = (options.lengthMs * sampleRate) / 1000;
  const samples = Array.from({ length }, (_, i) => 8_000 * Math.sin((2 * Math.PI * options.hz * i) / sampleRate));
  return cut(encodeSound(samples, "PCMU"));
}

const keyNames: Record<string, string> = { "*": "star", "#": "pound" };

export function loadSpeech() {
  const keys = new Map([..."0123456789*#"].map((key) => [key, load(`key-${keyNames[key] ?? key}`)]));
  return {
    conversation: load("conversation"),
    voicemail: load("voicemail"),
    beep: beep({ hz: 1_000, lengthMs: 600 }),
    menu: load("menu"),
    key: (key: string): Clip | null => keys.get(key) ?? null,
  };
}

export type Speech = ReturnType<typeof loadSpeech>;
