import { enableCompileCache } from "node:module";
import { setTimeout as wait } from "node:timers/promises";
import "./keep-webassembly.ts";
import { readConfig, StartRefused } from "./config.ts";
import { createLog } from "./log.ts";
import { demoPerson } from "./demo-person.ts";

/** A terminal's Ctrl-C reaches the whole process group, and npm forwards it too, so the second signal follows at once. */
const sameAskMs = 1_000;
/**
 * Without its database a shutdown would wait forever. The next start cleans up what isn't done by then, as after a
 * crash.
 */
const longestStopMs = 20_000;

// Before the rest is loaded: later starts then skip stripping and compiling it, half of their work.
enableCompileCache();

// With node --watch each thread reports what it loads, which a worker's parent would mistake for a message.
delete process.env["WATCH_REPORT_DEPENDENCIES"];

try {
  const config = readConfig(process.env, { dev: process.argv.includes("--dev") });
  const log = createLog(config.logLevel);
  // What fails without anyone waiting for it concerns one call or one organisation: it must not end everyone's calls.
  process.on("unhandledRejection", (error) =>
    log.error({ err: error }, "a task failed, and nothing was waiting for it"),
  );
  const { startLeadline } = await import("./start-leadline.ts");
  const leadline = await startLeadline(config, log);
  process.stdout.write(`Leadline is ready at ${leadline.address}\n`);
  if (config.dev) process.stdout.write(`Sign in as ${demoPerson.email} with the password “${demoPerson.password}”.\n`);

  let askedAtMs: number | null = null;
  const stop = (signal: NodeJS.Signals) => {
    if (askedAtMs === null) {
      askedAtMs = performance.now();
      log.info({ signal }, "stopping");
      const stopped = leadline.close().then(() => 0);
      const givenUp = wait(longestStopMs).then(() => {
        log.error(`not stopped after ${longestStopMs / 1000} s: given up`);
        return 1;
      });
      void Promise.race([stopped, givenUp]).then((code) => process.exit(code));
    } else if (performance.now() - askedAtMs > sameAskMs) {
      // A second signal means: don't wait.
      process.exit(1);
    }
  };
  process.on("SIGTERM", stop);
  process.on("SIGINT", stop);
} catch (error) {
  if (!(error instanceof StartRefused)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
}
