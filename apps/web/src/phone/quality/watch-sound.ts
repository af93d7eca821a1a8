import type { CallDriver, AudioReading } from "../drivers/call-driver.ts";
import { judgeSound, type SoundJudgement } from "./judge-sound.ts";

const lookEveryMs = 2000;
/** Ten seconds of readings. */
const maxReadings = 6;

interface WatchSound {
  driver: Pick<CallDriver, "readSound" | "connectionId">;
  isListening: () => boolean;
  onJudgement: (judgement: SoundJudgement) => void;
}

/** Assesses the call's audio every two seconds; returns an unsubscribe function. */
export function watchSound({ driver, isListening, onJudgement }: WatchSound): () => void {
  let readings: AudioReading[] = [];
  let connectionId = driver.connectionId();
  let listening = false;
  let stopped = false;

  async function look(): Promise<void> {
    const reading = await driver.readSound().catch(() => null);
    if (stopped || !reading) return;
    // A new connection counts from zero, and unmuting starts a new silence.
    if (driver.connectionId() !== connectionId || isListening() !== listening) readings = [];
    connectionId = driver.connectionId();
    listening = isListening();
    readings = [...readings, reading].slice(-maxReadings);
    onJudgement(judgeSound(readings, { listening }));
  }
  const timer = setInterval(() => void look(), lookEveryMs);
  return () => {
    stopped = true;
    clearInterval(timer);
  };
}
