import { samplesPerPacket } from "@leadline/adapter-kit/rtp/g711";

/** Returns 20 ms at a time; null while it is silent. */
export interface Voice {
  next(): Int16Array | null;
}

/** Saturates at the limits of 16 bits. */
export function mix(voices: readonly (Int16Array | null)[]): Int16Array {
  const speaking = voices.filter((samples) => samples !== null);
  return Int16Array.from({ length: samplesPerPacket }, (_, i) => {
    const sum = speaking.reduce((total, samples) => total + (samples[i] ?? 0), 0);
    return Math.max(-32_768, Math.min(32_767, sum));
  });
}

/** Reads what each speaker says per tick, once for all the mixes that contain it. */
export function createMixer<Speaker>(open: (speaker: Speaker) => { voice: Voice; close: () => void }) {
  interface Opened {
    voice: Voice;
    close: () => void;
    listeners: number;
    now: Int16Array | null;
  }
  const speakers = new Map<Speaker, Opened>();

  function enter(speaker: Speaker): Opened {
    const opened = speakers.get(speaker) ?? { ...open(speaker), listeners: 0, now: null };
    opened.listeners++;
    speakers.set(speaker, opened);
    return opened;
  }

  function leave(speaker: Speaker, opened: Opened): void {
    if (--opened.listeners > 0) return;
    opened.close();
    speakers.delete(speaker);
  }

  return {
    /** The sum of these speakers, and of voices that only this listener hears. */
    listen(to: readonly Speaker[], voices: readonly Voice[] = []) {
      const heard = to.map((speaker) => ({ speaker, opened: enter(speaker) }));
      return {
        next: (): Int16Array => mix([...heard.map(({ opened }) => opened.now), ...voices.map((voice) => voice.next())]),
        close: (): void => heard.forEach(({ speaker, opened }) => leave(speaker, opened)),
      };
    },
    tick(): void {
      for (const opened of speakers.values()) opened.now = opened.voice.next();
    },
  };
}
