import { execFileSync } from "node:child_process";

const telephoneBand = ["highpass", "250", "lowpass", "3300"];
/** Shorten long pauses, so that a caller doesn't think the line has dropped. */
const noLongPauses = ["silence", "-l", "1", "0.02", "0.3%", "-1", "0.35", "0.3%"];
const evenLevel = ["compand", "0.02,0.2", "6:-60,-40,-10", "norm", "-6"];

/**
 * Converts text to speech for the scripts that generate sound files: raw µ-law, 8 kHz, mono, telephone band. Needs
 * Debian's espeak-ng and sox. The results are committed, so running Leadline needs neither.
 */
export function speak(text: string): Buffer {
  const voice = ["-v", "en-us+f3", "-s", "150", "-p", "42", "--stdout"];
  const spoken = execFileSync("espeak-ng", [...voice, text.replaceAll(/\s+/g, " ")], { maxBuffer: 2 ** 24 });
  const from = ["--ignore-length", "-t", "wav", "-"];
  const to = ["-t", "raw", "-r", "8000", "-c", "1", "-e", "mu-law", "-"];
  return execFileSync("sox", ["--no-dither", ...from, ...to, ...telephoneBand, ...noLongPauses, ...evenLevel], {
    input: spoken,
    maxBuffer: 2 ** 24,
    stdio: ["pipe", "pipe", "ignore"],
  });
}
