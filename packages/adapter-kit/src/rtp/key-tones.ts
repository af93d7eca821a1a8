import { sampleRate, samplesPerPacket } from "./g711.ts";

/** ITU-T Q.23: the row and column frequencies of a DTMF digit. */
const rowsHz = [697, 770, 852, 941];
const columnsHz = [1_209, 1_336, 1_477, 1_633];
const keypad = "123A456B789C*0#D";
/** About −8 dBm0 each, the column a little louder (ITU-T Q.24). */
const amplitudes = { row: 8_000, column: 9_000 };

export function frequenciesOf(key: string): { row: number; column: number } {
  const at = keypad.indexOf(key);
  const [row, column] = [rowsHz[at >> 2], columnsHz[at & 3]];
  if (at < 0 || row === undefined || column === undefined) throw new Error(`"${key}" is not a telephone key.`);
  return { row, column };
}

/** The nth 20 ms of a digit's tone, for a far end that doesn't accept RFC 4733 events. */
export function toneOfKey(key: string, part: number): Int16Array {
  const hz = frequenciesOf(key);
  const sine = (frequency: number, at: number): number => Math.sin((2 * Math.PI * frequency * at) / sampleRate);
  return Int16Array.from({ length: samplesPerPacket }, (_, i) => {
    const at = part * samplesPerPacket + i;
    return Math.round(amplitudes.row * sine(hz.row, at) + amplitudes.column * sine(hz.column, at));
  });
}
