import { readdirSync, readFileSync } from "node:fs";

const ticksPerSecond = 100;

interface ProcessorTime {
  /** Of the process itself. */
  own: number;
  /** Of the children, and theirs, that it has waited for. */
  ofEnded: number;
}

/**
 * In seconds, from /proc (proc(5), /proc/pid/stat: fields 14 to 17); null if the process is gone or there is no /proc.
 */
export function processorTime(pid: number): ProcessorTime | null {
  try {
    const [, fields = ""] = readFileSync(`/proc/${pid}/stat`, "utf8").split(/\) (?=\S )/);
    const [user = 0, system = 0, endedUser = 0, endedSystem = 0] = fields.split(" ").slice(11, 15).map(Number);
    return { own: (user + system) / ticksPerSecond, ofEnded: (endedUser + endedSystem) / ticksPerSecond };
  } catch {
    return null;
  }
}

/** The running descendants of a process. */
export function descendantsOf(pid: number): number[] {
  const children = childrenOf(pid);
  return [...children, ...children.flatMap(descendantsOf)];
}

/** Listed by the thread that started each. */
function childrenOf(pid: number): number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
      readFileSync(`/proc/${pid}/task/${thread}/children`, "utf8").split(" ").filter(Boolean).map(Number),
    );
  } catch {
    return [];
  }
}

/**
 * Adds up the time of the programs that this process starts, in seconds. Only the browser waits for its renderers, so
 * they are sampled once a second while they live; shorter-lived ones count once their parent has waited for them.
 */
export function watchDescendants(): { seconds(): number; stop(): void } {
  const seen = new Map<number, number>(descendantsOf(process.pid).map((pid) => [pid, 0]));
  const before = new Map([...seen.keys()].map((pid) => [pid, processorTime(pid)?.own ?? 0]));
  const endedBefore = processorTime(process.pid)?.ofEnded ?? 0;
  const look = () => {
    for (const pid of descendantsOf(process.pid)) {
      const time = processorTime(pid);
      if (time !== null) seen.set(pid, time.own - (before.get(pid) ?? 0));
    }
  };
  const timer = setInterval(look, 1_000).unref();
  return {
    seconds() {
      look();
      const watched = [...seen.values()].reduce((sum, each) => sum + each, 0);
      return Math.max(watched, (processorTime(process.pid)?.ofEnded ?? 0) - endedBefore);
    },
    stop: () => clearInterval(timer),
  };
}
