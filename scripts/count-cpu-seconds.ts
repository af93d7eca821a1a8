import { afterAll } from "vitest";
import { processorTime, watchDescendants } from "./processor-time.ts";

declare module "vitest" {
  interface TaskMeta {
    /** Of a file: what its tests took of the processor, with the programs that they started. */
    cpuSeconds?: number;
  }
}

/** Without /proc: the process's alone. */
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
