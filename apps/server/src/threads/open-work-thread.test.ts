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

test("answers a question that comes while its idle thread is ending", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const thread = openWorkThread<string, string>(echo, { name: "echo", longestMs: 60_000, heapMb: 32 });
  expect(await thread.ask("first")).toBe("first");
  await Promise.resolve();
  vi.advanceTimersByTime(30_000);
  expect(await thread.ask("second")).toBe("second");
});
