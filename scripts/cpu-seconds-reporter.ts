import { relative } from "node:path";
import type { Reporter } from "vitest/node";

const mostFiles = 40;

/** Ends a run of many files with those that took most of the processor: on two of them a run is as long as all of it halved. */
export function cpuSecondsReporter(): Reporter {
  return {
    onTestRunEnd(modules) {
      if (modules.length <= mostFiles) return;
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
        .slice(0, mostFiles)
        .map(
          ({ file, cpuSeconds, seconds }) =>
            `${cpuSeconds.toFixed(1).padStart(7)} ${seconds.toFixed(1).padStart(7)}  ${file}`,
        );
      console.log([`\n    CPU    time  (s; of all files ${total.toFixed(0)} s of CPU)`, ...lines].join("\n"));
    },
  };
}
