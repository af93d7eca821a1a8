import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, test } from "vitest";
import { watchDescendants } from "./processor-time.ts";

const burn = "while (process.cpuUsage().user < 500_000); console.log('burnt'); setInterval(() => {}, 1_000)";
const parent = `require("node:child_process").spawn(process.execPath, ["-e", ${JSON.stringify(burn)}], { stdio: "inherit" })`;

test.runIf(process.platform === "linux")("counts a grandchild's time if no one waits for it", async () => {
  const watched = watchDescendants();
  const child = spawn(process.execPath, ["-e", parent], { detached: true, stdio: ["ignore", "pipe", "inherit"] });
  await once(child.stdout, "data");
  expect(watched.seconds()).toBeGreaterThan(0.5);
  process.kill(-(child.pid ?? 0), "SIGKILL");
  await once(child, "exit");
  expect(watched.seconds()).toBeGreaterThan(0.5);
  watched.stop();
});
