import { readFileSync } from "node:fs";
import { answerInThread } from "../../../threads/answer-in-thread.ts";
import type { FromGreetingWorker, GreetingFile } from "./read-greeting.ts";
import { readWave, UnusableWave } from "./read-wave.ts";
import { toTelephoneSound } from "./to-telephone-sound.ts";

answerInThread(({ path, longestMs }: GreetingFile): FromGreetingWorker => {
  try {
    return { sound: toTelephoneSound(readWave(readFileSync(path), { longestMs })) };
  } catch (error) {
    if (error instanceof UnusableWave) return { refused: error.message };
    throw error;
  }
});
