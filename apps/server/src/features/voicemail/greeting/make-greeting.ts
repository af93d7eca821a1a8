/** Generates the default greeting: `npm run make-greeting -w @leadline/server`. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { speak } from "@leadline/adapter-kit/speak";

const words = `Hello. Nobody can take your call right now. Please leave a message after the tone.
  Your message is recorded.`;

writeFileSync(join(import.meta.dirname, "default.ulaw"), speak(words));
