/** Generates the callees' voices: `npm run make-speech -w @leadline/carrier-sandbox`. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { speak } from "@leadline/adapter-kit/speak";

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

for (const [name, text] of Object.entries(sentences))
  writeFileSync(join(import.meta.dirname, "speech", `${name}.ulaw`), speak(text));
