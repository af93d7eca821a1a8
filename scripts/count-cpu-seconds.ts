import { afterAll } from "vitest";
import { processorTime, watchDescendants } from "./processor-time.ts";

declare module "vitest" {
  interface TaskMeta {
    /** Per file: the processor time of its tests, including child processes. */
    cpuSeconds?: number;
  }
}

/** Without /proc: only the process itself. */
function ownSeconds(): number {
  const { user, system } = process.cpuUsage();
  return processorTime(process.pid)?.own ?? (user + system) / 1_000_000;
}

const before = ownSeconds();
const descendants = watchDescendants();
// oxlint-disable-next-line no-empty-pattern -- Vitest reads from it that none of its context is asked for
afterAll(({}, file) => {
  file.meta.cpuSeconds = ownSeconds() - before + descendants.seconds();
  descendants.stop();
});
