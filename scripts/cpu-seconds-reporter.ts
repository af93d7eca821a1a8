import { readFileSync } from "node:fs";
import { relative } from "node:path";
import type { Reporter } from "vitest/node";
import { descendantsOf, processorTime } from "./processor-time.ts";

const maxFiles = 40;

/** Ends a run of many files with those that used most processor time: on two processors, a run takes half the sum. */
export function cpuSecondsReporter(): Reporter {
  return {
    onTestRunEnd(modules) {
      if (modules.length <= maxFiles) return;
      const files = modules.map((module) => {
        const { cpuSeconds = 0 } = module.meta();
        return {
          file: relative(process.cwd(), module.moduleId),
          cpuSeconds,
          seconds: module.diagnostic().duration / 1_000,
        };
      });
      const total = files.reduce((sum, { cpuSeconds }) => sum + cpuSeconds, 0);
      const lines = files
        .toSorted((a, b) => b.cpuSeconds - a.cpuSeconds)
        .slice(0, maxFiles)
        .map(
          ({ file, cpuSeconds, seconds }) =>
            `${cpuSeconds.toFixed(1).padStart(7)} ${seconds.toFixed(1).padStart(7)}  ${file}`,
        );
      const sums = `of all files ${total.toFixed(0)} s of CPU; of what they share ${sharedSeconds().toFixed(0)} s`;
      console.log([`\n    CPU    time  (s; ${sums})`, ...lines].join("\n"));
    },
  };
}

/** Vitest's own process, and what it started for the whole run: the app, its database and the server tests' own. */
function sharedSeconds(): number {
  const { user, system } = process.cpuUsage();
  const started = descendantsOf(process.pid).filter((pid) => !isWorker(pid));
  const times = started.map((pid) => processorTime(pid));
  return times.reduce((sum, time) => sum + (time?.own ?? 0) + (time?.ofEnded ?? 0), (user + system) / 1_000_000);
}

/** A worker that hasn't ended yet; its files are counted separately. */
function isWorker(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("vitest/dist/workers");
  } catch {
    return true;
  }
}
