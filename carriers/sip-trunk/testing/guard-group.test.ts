import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, test } from "vitest";

import { guardGroup } from "./guard-group.ts";

// `sleep` keeps the output open for as long as it lives.

test("the child processes of a killed program end with it", async () => {
  const leader = spawn("/bin/sh", ["-c", "sleep 600 & echo asleep; wait"], {
    stdio: ["ignore", "pipe", "ignore"],
    detached: true,
  });
  const groupEnded = guardGroup(leader);
  const outputClosed = once(leader.stdout, "close");
  expect(String(await once(leader.stdout, "data"))).toBe("asleep\n");
  leader.kill("SIGKILL");
  await groupEnded;
  await outputClosed;
});

test("a program and its child processes end with a killed test run", async () => {
  const program = `
    import { spawn } from "node:child_process";
    import { guardGroup } from ${JSON.stringify(import.meta.resolve("./guard-group.ts"))};
    const stdio = ["ignore", "inherit", "ignore"];
    void guardGroup(spawn("/bin/sh", ["-c", "sleep 600 & wait"], { stdio, detached: true }));
    setInterval(() => {}, 60_000);
    console.log("guarded");
  `;
  const run = spawn(process.execPath, ["--input-type=module", "--eval", program], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const outputClosed = once(run.stdout, "close");
  expect(String(await once(run.stdout, "data"))).toBe("guarded\n");
  run.kill("SIGKILL");
  await outputClosed;
});
