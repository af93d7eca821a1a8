/** Generates the speech for calls that verify a caller ID: `npm run make-spoken-code -w @leadline/server`. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { speak } from "@leadline/adapter-kit/speak";

const digits = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"];
const sentences: Record<string, string> = {
  introduction: `Hello. This is Leadline. Somebody wants to show this number to the people they call.
    If that is not you, please hang up. Your code is`,
  again: "Once more. Your code is",
  ...Object.fromEntries(digits.map((word, digit) => [digit, word])),
};

for (const [name, text] of Object.entries(sentences))
  writeFileSync(join(import.meta.dirname, "spoken", `${name}.ulaw`), speak(text));
