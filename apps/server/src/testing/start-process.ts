import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

export interface LeadlineProcess {
  child: ChildProcess;
  origin: string;
  /** What it has written to standard error. */
  log(): string;
  /** The exit code. */
  stop(signal: NodeJS.Signals): Promise<number | null>;
}

const repository = fileURLToPath(new URL("../../../..", import.meta.url));
const commands = {
  node: [process.execPath, "apps/server/src/main.ts"],
  "npm start": ["npm", "start", "--silent"],
} as const;

/** Runs Leadline as its own process; rejects with its output if it doesn't start. */
export async function startProcess(
  environment: Record<string, string>,
  by: keyof typeof commands = "node",
): Promise<LeadlineProcess> {
  const [command, ...args] = commands[by];
  const { PATH = "", HOME = "/" } = process.env;
  const env = { PATH, HOME, PORT: "0", LOG_LEVEL: "warn", PRIVATE_NETWORKS: "127.0.0.0/8", ...environment };
  const child = spawn(command, args, { cwd: repository, env, stdio: ["ignore", "pipe", "pipe"] });
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
    log: () => errors,
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
