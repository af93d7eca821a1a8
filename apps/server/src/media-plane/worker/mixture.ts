import { samplesPerPacket } from "@leadline/adapter-kit/rtp/g711";

/** One who takes part in a mixture. */
export interface Voice {
  /** Its next 20 ms; null where it says nothing, or nobody is to hear it. */
  speak(): Int16Array | null;
  isBrowser: boolean;
  /** Whether it may hear this other one. */
  hears(other: Voice): boolean;
  listen(samples: Int16Array): void;
  /** Another one has pressed it. */
  takeKey(key: string): void;
}

/** Each hears the sum of the others, never itself (mix-minus). */
export function createMixture() {
  const voices = new Set<Voice>();
  return {
    voices,
    passKey(key: string, from: Voice): void {
      for (const voice of voices) if (voice !== from) voice.takeKey(key);
    },
    /** Every 20 ms. */
    tick(): void {
      const said = [...voices].map((voice) => ({ voice, samples: voice.speak() }));
      for (const listener of voices) {
        const heard = said.filter(({ voice }) => voice !== listener && listener.hears(voice));
        listener.listen(sumOf(heard.flatMap(({ samples }) => (samples ? [samples] : []))));
      }
    },
  };
}
export type Mixture = ReturnType<typeof createMixture>;

/** What is louder than 16 bits can say is as loud as they can. */
function sumOf(voices: readonly Int16Array[]): Int16Array {
  return Int16Array.from({ length: samplesPerPacket }, (_, i) => {
    const sum = voices.reduce((total, samples) => total + (samples[i] ?? 0), 0);
    return Math.max(-32_768, Math.min(32_767, sum));
  });
}
