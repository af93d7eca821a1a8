import { afterEach, expect, test, vi } from "vitest";
import { openWorkThread } from "./open-work-thread.ts";

const echo = new URL(
  `data:text/javascript,${encodeURIComponent(
    'import { parentPort } from "node:worker_threads"; parentPort.on("message", (answer) => parentPort.postMessage({ answer }));',
  )}`,
);

afterEach(() => {
  vi.useRealTimers();
});

test("answers a question that arrives while its idle thread is ending", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const thread = openWorkThread<string, string>(echo, { name: "echo", longestMs: 60_000, heapMb: 32 });
  expect(await thread.ask("first")).toBe("first");
  await Promise.resolve();
  vi.advanceTimersByTime(30_000);
  expect(await thread.ask("second")).toBe("second");
});

test("a question that fails after its signal was aborted rejects with the abort reason, such as when its file was removed", async () => {
  const failing = new URL(
    `data:text/javascript,${encodeURIComponent(
      'import { parentPort } from "node:worker_threads"; parentPort.on("message", () => parentPort.postMessage({ failure: { message: "no such file", code: "ENOENT" } }));',
    )}`,
  );
  const thread = openWorkThread<string, string>(failing, { name: "failing", longestMs: 60_000, heapMb: 32 });
  await expect(thread.ask("a file")).rejects.toMatchObject({ code: "ENOENT" });
  const asker = new AbortController();
  const asked = thread.ask("a file", { signal: asker.signal });
  asker.abort(new Error("the asker has gone"));
  await expect(asked).rejects.toThrow("the asker has gone");
});
