import { setTimeout as sleep } from "node:timers/promises";
import { askAt } from "../testing/sign-up.ts";

const askEveryMs = 20;

/** How long a GET of the path takes, sent every 20 ms whether or not earlier ones are answered, until `isOver`. */
export async function askSteadily(
  of: { address: string; path: string; token: string },
  isOver: () => boolean,
): Promise<number[]> {
  const latenciesMs: number[] = [];
  const asked: Promise<unknown>[] = [];
  while (!isOver()) {
    const askedAt = performance.now();
    const answered = askAt(of.address, of.path, { token: of.token });
    asked.push(answered.then(() => latenciesMs.push(performance.now() - askedAt)));
    await sleep(askEveryMs);
  }
  await Promise.all(asked);
  return latenciesMs;
}

/** For that long from now on. */
export function forSeconds(seconds: number): () => boolean {
  const endsAt = performance.now() + seconds * 1_000;
  return () => performance.now() >= endsAt;
}
