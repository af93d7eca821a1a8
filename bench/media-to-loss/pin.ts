import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";

/** Uses Debian's util-linux; affects a process with all its threads, and the child processes that it starts later. */
export function pinProcess(pid: number, core: number): void {
  execFileSync("taskset", ["--all-tasks", "--cpu-list", "--pid", String(core), String(pid)], { stdio: "ignore" });
}

/** One thread, by its name. */
export function pinThread(pid: number, thread: string, core: number): void {
  const task = readdirSync(`/proc/${pid}/task`).find(
    (id) => readFileSync(`/proc/${pid}/task/${id}/comm`, "utf8").trim() === thread,
  );
  if (task === undefined) throw new Error(`process ${pid} has no thread ${thread}`);
  execFileSync("taskset", ["--cpu-list", "--pid", String(core), task], { stdio: "ignore" });
}

/** Ticks that each core was busy, and all its ticks, since the machine started (proc_stat(5)). */
export function readCores(): { busy: number; all: number }[] {
  const lines = readFileSync("/proc/stat", "utf8").match(/^cpu\d.*$/gm) ?? [];
  return lines.map((line) => {
    const ticks = line.split(/\s+/).slice(1, 9).map(Number);
    const all = ticks.reduce((sum, each) => sum + each, 0);
    const [, , , idle = 0, waiting = 0] = ticks;
    return { busy: all - idle - waiting, all };
  });
}

/** The share of each core, 0 to 1, between two readings. */
export const busyBetween = (before: ReturnType<typeof readCores>, after: ReturnType<typeof readCores>): number[] =>
  after.map(({ busy, all }, core) => (busy - (before[core]?.busy ?? 0)) / (all - (before[core]?.all ?? 0)));
