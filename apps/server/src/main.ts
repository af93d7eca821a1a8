import { enableCompileCache } from "node:module";
import { readConfig, StartRefused } from "./config.ts";
import { createLog } from "./log.ts";
import { demoPerson } from "./demo-person.ts";

// Before the rest is loaded: later starts then skip stripping and compiling it, which is half of their work.
enableCompileCache();

try {
  const config = readConfig(process.env, { dev: process.argv.includes("--dev") });
  const log = createLog(config.logLevel);
  const { startLeadline } = await import("./start-leadline.ts");
  const leadline = await startLeadline(config, log);
  process.stdout.write(`Leadline is ready at ${leadline.address}\n`);
  if (config.dev) process.stdout.write(`Sign in as ${demoPerson.email} with the password “${demoPerson.password}”.\n`);

  let stopping = false;
  const stop = (signal: NodeJS.Signals) => {
    // Whoever asks twice does not want to wait.
    if (stopping) process.exit(1);
    stopping = true;
    log.info({ signal }, "stopping");
    void leadline.close().then(() => process.exit(0));
  };
  process.on("SIGTERM", stop);
  process.on("SIGINT", stop);
} catch (error) {
  if (!(error instanceof StartRefused)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
}
