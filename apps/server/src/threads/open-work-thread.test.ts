import { once } from "node:events";
import type { Worker } from "node:worker_threads";
import { afterEach, expect, onTestFinished, test, vi } from "vitest";
import { openWorkThread } from "./open-work-thread.ts";

/** A thread that answers with the value of what it is asked, an expression. */
const evaluating = new URL(
  `data:text/javascript,${encodeURIComponent(`
    import { parentPort } from "node:worker_threads";
    parentPort.on("message", (asked) => {
      try {
        parentPort.postMessage({ answer: (0, eval)(asked) });
      } catch ({ message, code }) {
        parentPort.postMessage({ failure: { message, code } });
      }
    });`)}`,
);
const endless = "for (;;);";
const limits = { name: "evaluating", longestMs: 60_000, heapMb: 32 };

afterEach(() => {
  vi.useRealTimers();
});

/** The threads that this test starts, in order. */
function watchThreads(): Worker[] {
  const started: Worker[] = [];
  const note = (worker: Worker): void => void started.push(worker);
  process.on("worker", note);
  onTestFinished(() => void process.off("worker", note));
  return started;
}

test("answers a question that arrives while its idle thread is ending", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const threads = watchThreads();
  const thread = openWorkThread<string, string>(evaluating, limits);
  expect(await thread.ask("'first'", { by: "one" })).toBe("first");
  await Promise.resolve();
  const [idle] = threads;
  const ended = idle && once(idle, "exit");
  vi.advanceTimersByTime(30_000);
  expect(await thread.ask("'second'", { by: "one" })).toBe("second");
  await ended;
  expect(threads).toHaveLength(2);
});

test("passes on why a question failed", async () => {
  const thread = openWorkThread<string, string>(evaluating, limits);
  const failure = "throw Object.assign(new Error('no such file'), { code: 'ENOENT' })";
  await expect(thread.ask(failure, { by: "one" })).rejects.toMatchObject({ message: "no such file", code: "ENOENT" });
});

test("a question whose signal is aborted ends the thread that works on it, and only then", async () => {
  const threads = watchThreads();
  const thread = openWorkThread<string, string>(evaluating, { ...limits, longestMs: 600_000 });
  const [working, waiting] = [new AbortController(), new AbortController()];
  const [gone, goneToo] = [new Error("the asker has gone"), new Error("the other asker has gone")];
  const asked = thread.ask(endless, { by: "one", signal: working.signal });
  const askedToo = thread.ask(endless, { by: "one", signal: waiting.signal });
  const next = thread.ask("'next'", { by: "one" });
  await vi.waitFor(() => expect(threads).toHaveLength(1));
  waiting.abort(goneToo);
  await expect(askedToo).rejects.toBe(goneToo);
  const [first] = threads;
  const ended = first && once(first, "exit");
  working.abort(gone);
  await expect(asked).rejects.toBe(gone);
  expect(await next).toBe("next");
  await ended;
  expect(threads).toHaveLength(2);
  await expect(thread.ask("'too late'", { by: "one", signal: working.signal })).rejects.toBe(gone);
  expect(threads).toHaveLength(2);
});

test("a question that never ends is stopped, and the next is answered", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const thread = openWorkThread<string, string>(evaluating, limits);
  const asked = thread.ask(endless, { by: "one" });
  vi.advanceTimersByTime(60_000);
  await expect(asked).rejects.toThrow('the thread "evaluating" ended');
  expect(await thread.ask("'next'", { by: "one" })).toBe("next");
});

test("a question that takes too much memory ends its thread alone, and the next is answered", async () => {
  const thread = openWorkThread<string, string>(evaluating, limits);
  const greedy = "for (const all = []; ; ) all.push(Array.from({ length: 1_000 }, Math.random))";
  await expect(thread.ask(greedy, { by: "one" })).rejects.toMatchObject({ code: "ERR_WORKER_OUT_OF_MEMORY" });
  expect(await thread.ask("'next'", { by: "one" })).toBe("next");
});

test("organisations take turns, so a long queue delays only its own", async () => {
  const thread = openWorkThread<string, string>(evaluating, limits);
  const answered: string[] = [];
  const ask = async (by: string) => void answered.push(await thread.ask(`'${by}'`, { by }));
  await Promise.all([...Array.from({ length: 4 }, () => ask("busy")), ask("other"), ask("other"), ask("third")]);
  expect(answered).toEqual(["busy", "other", "busy", "third", "other", "busy", "busy"]);
});
