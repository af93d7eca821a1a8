import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import type { CrmSandbox } from "@leadline/adapter-kit/crm";

export interface WriterOrder {
  databaseUrl: string;
  /** Hexadecimal. */
  key: string;
  sandboxes: (Omit<CrmSandbox, "address"> & { service: string; address: string })[];
}

/** Servers, each a process, that log ended calls in their CRMs, as in production. */
export async function startWriters(order: WriterOrder, count: number) {
  /** When a call's state was first reported. */
  const reportedAtMs = new Map<string, number>();
  const start = (): ChildProcess => {
    const child = fork(new URL("writer.ts", import.meta.url), [JSON.stringify(order)]);
    // A call's sid, after "ready".
    child.on("message", (reported: string) => {
      if (!reportedAtMs.has(reported)) reportedAtMs.set(reported, performance.now());
    });
    return child;
  };
  const writers = Array.from({ length: count }, start);
  await Promise.all(writers.map((writer) => once(writer, "message")));
  return {
    reportedAtMs,
    /** Kills one with SIGKILL, and starts another. */
    kill(which: number): void {
      writers[which % count]?.kill("SIGKILL");
      writers[which % count] = start();
    },
    async stop(): Promise<void> {
      for (const writer of writers) {
        const exited = once(writer, "exit");
        writer.kill("SIGTERM");
        await exited;
      }
    },
  };
}
