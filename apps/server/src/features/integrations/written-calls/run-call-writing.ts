import { type WritingDeps, writeDueCalls } from "./write-due-calls.ts";

/** Short compared with how long a rep expects to wait for a call to appear in the CRM. */
const everyMs = 1_000;

/** Writes calls to CRMs as they become due. Closing waits for those in progress. */
export function runCallWriting(deps: WritingDeps): { close(): Promise<void> } {
  const over = new AbortController();
  let running: Promise<void> = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  const look = async (): Promise<void> => {
    try {
      for (let written = 1; written > 0 && !over.signal.aborted;) written = await writeDueCalls(deps);
    } catch (error) {
      deps.log.warn({ err: error }, "calls could not be written to CRMs");
    }
  };
  const wait = (): void => {
    if (over.signal.aborted) return;
    timer = setTimeout(() => {
      running = look();
      void running.then(wait);
    }, everyMs).unref();
  };
  wait();
  return {
    async close() {
      over.abort();
      clearTimeout(timer);
      await running;
    },
  };
}
