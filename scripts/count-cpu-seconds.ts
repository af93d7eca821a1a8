import { readFileSync } from "node:fs";
import { afterAll } from "vitest";

declare module "vitest" {
  interface TaskMeta {
    /** Of a file: what its tests took of the processor, with the programs that they started and saw end. */
    cpuSeconds?: number;
  }
}

const ticksPerSecond = 100;

/** proc(5), /proc/self/stat: fields 14 to 17 are the process's and its children's time in ticks; elsewhere the process's alone. */
function cpuSeconds(): number {
  try {
    const [, fields = ""] = readFileSync("/proc/self/stat", "utf8").split(") ");
    const ticks = fields.split(" ").slice(11, 15).map(Number);
    return ticks.reduce((sum, each) => sum + each, 0) / ticksPerSecond;
  } catch {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1_000_000;
  }
}

const before = cpuSeconds();
// oxlint-disable-next-line no-empty-pattern -- Vitest reads from it that none of its context is asked for
afterAll(({}, file) => void (file.meta.cpuSeconds = cpuSeconds() - before));
