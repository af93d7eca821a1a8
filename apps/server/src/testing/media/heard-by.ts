import { shareAt } from "@leadline/adapter-kit/conformance/tone";

/** The tones of the three participants in tests of who hears whom. */
export const repHz = 500;
export const adaHz = 1_000;
export const bobHz = 1_500;

const patienceMs = 30_000;

/** Listens until exactly these of the three tones are heard, and returns what was heard last. */
export async function heardBy(
  listener: { listen(forMs: number): Promise<Int16Array> },
  ...tones: number[]
): Promise<number[]> {
  const lastMs = performance.now() + patienceMs;
  for (;;) {
    const sound = await listener.listen(200);
    const heard = [repHz, adaHz, bobHz].filter((hz) => shareAt(hz, sound) > 0.2);
    if (String(heard) === String(tones) || performance.now() > lastMs) return heard;
  }
}
