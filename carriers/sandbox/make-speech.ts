/**
 * Makes the callees' voices: `npm run make-speech -w @leadline/carrier-sandbox`. Needs Debian's espeak-ng and sox.
 * What comes out is committed, so that nobody needs either to run the sandbox: raw µ-law, 8 kHz, mono, telephone band.
 */
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";

const sentences: Record<string, string> = {
  conversation: `Hello, this is the Leadline sandbox speaking. You can hear me, so your call works, and sound is coming your way.
    I am not a real person, but I am happy to keep you company while you try things out.
    Have a look at the mute button, open the keypad, or put me on hold for a moment. I do not mind.
    The weather on this side of the wire is always the same: eight thousand samples every second, and a light breeze.
    When you have heard enough, just hang up. Until then, I will start again from the top.`,
  voicemail: `Hi, you have reached the Leadline voice mail. Nobody can come to the phone right now.
    Please leave a message after the tone.`,
  menu: "Welcome to the Leadline keypad. Press any key, and I will say which one it was.",
  "key-0": "zero",
  "key-1": "one",
  "key-2": "two",
  "key-3": "three",
  "key-4": "four",
  "key-5": "five",
  "key-6": "six",
  "key-7": "seven",
  "key-8": "eight",
  "key-9": "nine",
  "key-star": "star",
  "key-pound": "pound",
};

const telephoneBand = ["highpass", "250", "lowpass", "3300"];
// Dead air is cut to a breath, so that a caller never wonders whether the line dropped.
const noLongPauses = ["silence", "-l", "1", "0.02", "0.3%", "-1", "0.35", "0.3%"];

for (const [name, text] of Object.entries(sentences)) {
  const spoken = execFileSync(
    "espeak-ng",
    ["-v", "en-us+f3", "-s", "150", "-p", "42", "--stdout", text.replaceAll(/\s+/g, " ")],
    {
      maxBuffer: 2 ** 24,
    },
  );
  const from = ["--ignore-length", "-t", "wav", "-"];
  const to = ["-t", "raw", "-r", "8000", "-c", "1", "-e", "mu-law", "-"];
  const shaped = execFileSync(
    "sox",
    [
      "--no-dither",
      ...from,
      ...to,
      ...telephoneBand,
      ...noLongPauses,
      "compand",
      "0.02,0.2",
      "6:-60,-40,-10",
      "norm",
      "-6",
    ],
    { input: spoken, maxBuffer: 2 ** 24, stdio: ["pipe", "pipe", "ignore"] },
  );
  writeFileSync(join(import.meta.dirname, "speech", `${name}.ulaw`), shaped);
}
