import { openWorkThread } from "../../../threads/open-work-thread.ts";
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

/** A WAV file as a caller will hear it; throws UnusableWave. In a thread of its own: a minute may take seconds of work. */
export async function readGreeting(file: GreetingFile, options: { signal: AbortSignal }): Promise<Int16Array> {
  const told = await thread.ask(file, options);
  if ("refused" in told) throw new UnusableWave(told.refused);
  return told.sound;
}
