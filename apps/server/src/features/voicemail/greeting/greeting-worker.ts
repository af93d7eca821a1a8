import { readFile } from "node:fs/promises";
import { parentPort, workerData } from "node:worker_threads";
import type { FromGreetingWorker, GreetingFile } from "./read-greeting.ts";
import { readWave, UnusableWave } from "./read-wave.ts";
import { toTelephoneSound } from "./to-telephone-sound.ts";

const { path, longestMs }: GreetingFile = workerData;
const tell = (message: FromGreetingWorker): void => parentPort?.postMessage(message);
try {
  tell({ sound: toTelephoneSound(readWave(await readFile(path), { longestMs })) });
} catch (error) {
  if (!(error instanceof UnusableWave)) throw error;
  tell({ refused: error.message });
}
