import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import type { CrmSandbox } from "@leadline/adapter-kit/crm";

/** What the sandbox's process is started with. */
export interface SandboxOrder {
  service: string;
  leads: number;
  /** As many as the adapter asks for. */
  largestPage: number;
}
/** A sandbox in a process of its own, without what can't be sent between processes. */
export type SandboxElsewhere = Omit<CrmSandbox, "address"> & { service: string; address: string };

/** A CRM's sandbox, whose work and memory aren't counted as the app's. */
export async function startSandbox(order: SandboxOrder) {
  const child = fork(new URL("sandbox.ts", import.meta.url), [JSON.stringify(order)]);
  const started = await nextMessage<SandboxElsewhere>(child);
  return {
    sandbox: started,
    /** A person allows access; where the CRM then sends the browser. */
    async allow(authoriseUrl: string): Promise<URL> {
      child.send(authoriseUrl);
      return new URL(await nextMessage<string>(child));
    },
    stop: () => stop(child),
  };
}

/** As npm start does. */
const asStarted = { env: { MALLOC_MMAP_THRESHOLD_: "1000000" }, execArgv: ["--max-semi-space-size=8"] };

/** The whole app, with that sandbox in place of the built-in ones. */
export async function startServer(sandbox: SandboxElsewhere, environment: Record<string, string>) {
  const env = {
    ...process.env,
    PORT: "0",
    LOG_LEVEL: "error",
    CRM_SYNC_MINUTES: "0",
    ...asStarted.env,
    ...environment,
  };
  const { execArgv } = asStarted;
  const child = fork(new URL("server.ts", import.meta.url), [JSON.stringify(sandbox)], { env, execArgv });
  const address = await nextMessage<string>(child);
  return {
    address,
    /** Resident memory now, MB. */
    memoryMb: () => Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${child.pid}/status`, "utf8"))?.[1]) / 1_024,
    stop: () => stop(child),
  };
}

/** Guarantee: sandbox.ts and server.ts send nothing but what is awaited here, in this order. */
const nextMessage = <Message>(child: ChildProcess): Promise<Message> =>
  new Promise((resolve, reject) => {
    child.once("message", (message) => resolve(message as Message));
    child.once("exit", (code) => reject(new Error(`a process ended with ${code}`)));
  });

async function stop(child: ChildProcess): Promise<void> {
  const exited = once(child, "exit");
  child.kill("SIGTERM");
  await exited;
}
