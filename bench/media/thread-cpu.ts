import { readdirSync, readFileSync } from "node:fs";

/** The kernel counts in hundredths of a second (USER_HZ) on every architecture that Node supports. */
const ticksPerSecond = 100;

/** Processor time in seconds per named thread of a process, from Linux's /proc; empty on other systems. */
export function readThreadCpu(pid: number): Map<string, number> {
  const seconds = new Map<string, number>();
  const folder = `/proc/${pid}/task`;
  for (const task of listOr(folder)) {
    const stat = readFileSync(`${folder}/${task}/stat`, "utf8");
    const name = stat.slice(stat.indexOf("(") + 1, stat.lastIndexOf(")"));
    const [user = 0, system = 0] = stat
      .slice(stat.lastIndexOf(")") + 2)
      .split(" ")
      .slice(11, 13)
      .map(Number);
    seconds.set(name, (seconds.get(name) ?? 0) + (user + system) / ticksPerSecond);
  }
  return seconds;
}

function listOr(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
