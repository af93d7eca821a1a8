import key0 from "../sounds/key-0.wav";
import key1 from "../sounds/key-1.wav";
import key2 from "../sounds/key-2.wav";
import key3 from "../sounds/key-3.wav";
import key4 from "../sounds/key-4.wav";
import key5 from "../sounds/key-5.wav";
import key6 from "../sounds/key-6.wav";
import key7 from "../sounds/key-7.wav";
import key8 from "../sounds/key-8.wav";
import key9 from "../sounds/key-9.wav";

export const keySounds = [key0, key1, key2, key3, key4, key5, key6, key7, key8, key9] as const;

/** One of the ten at random, whichever key was pressed. `random` returns a value in [0, 1). */
export function pickKeySound(random: () => number = Math.random): string {
  return keySounds[Math.floor(random() * keySounds.length)] ?? keySounds[0];
}
