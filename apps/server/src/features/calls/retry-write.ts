import { setTimeout as wait } from "node:timers/promises";
import { backOffMs } from "../../back-off-ms.ts";
import { Problem } from "../../http/problem.ts";
import type { Log } from "../../log.ts";

const retrying = { firstMs: 100, longestMs: 5000 };
const patienceMs = 6000;

/** Writes again and again while the database is away: a call must not stay for ever in a state that it has left. */
export async function retryWrite<T>(log: Log, callSid: string, write: () => Promise<T>): Promise<T> {
  for (let failures = 0; ; failures += 1) {
    try {
      return await write();
    } catch (error) {
      log.error({ err: error, callSid }, "a call's change could not be written; trying again");
      await wait(backOffMs(failures, retrying), undefined, { ref: false });
    }
  }
}

/** For requests that wait for such a write: they answer before the client gives up, and say what has happened. */
export async function orReportDelay<T>(writing: Promise<T>, detail: string): Promise<T> {
  const late = wait(patienceMs, undefined, { ref: false }).then(() => {
    throw new Problem("unavailable", detail);
  });
  return Promise.race([writing, late]);
}
