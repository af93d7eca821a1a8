import { readFile } from "node:fs/promises";
import { answerInThread } from "../../../threads/answer-in-thread.ts";
import type { FromGreetingWorker, GreetingFile } from "./read-greeting.ts";
import { readWave, UnusableWave } from "./read-wave.ts";
import { toTelephoneSound } from "./to-telephone-sound.ts";

answerInThread(async ({ path, longestMs }: GreetingFile): Promise<FromGreetingWorker> => {
  try {
    return { sound: toTelephoneSound(readWave(await readFile(path), { longestMs })) };
  } catch (error) {
    if (error instanceof UnusableWave) return { refused: error.message };
    throw error;
  }
});
