import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { UnusableWave } from "./read-wave.ts";

export interface GreetingFile {
  path: string;
  longestMs: number;
}
export type FromGreetingWorker = { sound: Int16Array } | { refused: string };

/** A WAV file as a caller will hear it; throws UnusableWave. In a thread of its own: a minute may take seconds of work. */
export async function readGreeting(file: GreetingFile): Promise<Int16Array> {
  const worker = new Worker(new URL("greeting-worker.ts", import.meta.url), { name: "greeting", workerData: file });
  // Rejects with what the thread threw.
  const [told]: FromGreetingWorker[] = await once(worker, "message");
  await worker.terminate();
  if (told === undefined || "refused" in told) throw new UnusableWave(told?.refused);
  return told.sound;
}
