import { type Asker, openWorkThread } from "../../../threads/open-work-thread.ts";
import { UnusableWave } from "./read-wave.ts";

export interface GreetingFile {
  path: string;
  longestMs: number;
}
export type FromGreetingWorker = { sound: Int16Array } | { refused: string };

const thread = openWorkThread<GreetingFile, FromGreetingWorker>(new URL("greeting-worker.ts", import.meta.url), {
  name: "greeting",
  longestMs: 60_000,
  heapMb: 512,
});

/**
 * Converts a WAV file to what a caller hears; throws UnusableWave. Runs in a thread, since a minute of audio may take
 * seconds.
 */
export async function readGreeting(file: GreetingFile, options: Asker): Promise<Int16Array> {
  const told = await thread.ask(file, options);
  if ("refused" in told) throw new UnusableWave(told.refused);
  return told.sound;
}
