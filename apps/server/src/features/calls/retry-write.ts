import { setTimeout as wait } from "node:timers/promises";
import { backOffMs } from "../../back-off-ms.ts";
import { Problem } from "../../http/problem.ts";
import type { Log } from "../../log.ts";

const retrying = { firstMs: 100, longestMs: 5000 };
const patienceMs = 6000;

/** Retries a write until it succeeds, so that a database outage can't leave a call in a state it has left. */
export async function retryWrite<T>(log: Log, callSid: string, write: () => Promise<T>): Promise<T> {
  for (let failures = 0; ; failures += 1) {
    try {
      return await write();
    } catch (error) {
      log.error({ err: error, callSid }, "a call's change could not be stored; retrying");
      await wait(backOffMs(failures, retrying), undefined, { ref: false });
    }
  }
}

/** Waits for a retried write only until the client would give up, then reports the delay. */
export async function orReportDelay<T>(writing: Promise<T>, detail: string): Promise<T> {
  const late = wait(patienceMs, undefined, { ref: false }).then(() => {
    throw new Problem("unavailable", detail);
  });
  return Promise.race([writing, late]);
}
