import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

export interface LeadlineProcess {
  child: ChildProcess;
  origin: string;
  /** From the spawn to the line that says it is ready. */
  readyMs: number;
  /** The exit code. */
  stop(signal: NodeJS.Signals): Promise<number | null>;
}

const main = fileURLToPath(new URL("../main.ts", import.meta.url));

/** Leadline as its own process, as `npm start` runs it; rejects with what it said where it does not start. */
export async function startProcess(environment: Record<string, string>): Promise<LeadlineProcess> {
  const startedMs = performance.now();
  const { PATH = "", HOME = "/" } = process.env;
  const env = { PATH, HOME, PORT: "0", LOG_LEVEL: "warn", ...environment };
  const child = spawn(process.execPath, [main], { env, stdio: ["ignore", "pipe", "pipe"] });
  let errors = "";
  child.stderr.on("data", (chunk: Buffer) => (errors += chunk.toString()));
  const exited = once(child, "exit");
  const origin = await new Promise<string>((resolve, reject) => {
    let output = "";
    child.stdout.on("data", (chunk: Buffer) => {
      output += chunk.toString();
      const ready = /^Leadline is ready at (\S+)$/m.exec(output);
      if (ready?.[1] !== undefined) resolve(ready[1]);
    });
    child.once("close", (code: number | null) => reject(new StartFailed(code, errors)));
  });
  return {
    child,
    origin,
    readyMs: performance.now() - startedMs,
    async stop(signal) {
      child.kill(signal);
      const [code]: (number | null)[] = await exited;
      return code ?? null;
    },
  };
}

export class StartFailed extends Error {
  override name = "StartFailed";
  readonly exitCode: number | null;
  readonly errors: string;
  constructor(exitCode: number | null, errors: string) {
    super(`exit code ${exitCode}: ${errors}`);
    this.exitCode = exitCode;
    this.errors = errors;
  }
}
