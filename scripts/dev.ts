/**
 * Leadline for development: an edit of the page is applied immediately (Vite), and an edit of the server restarts it
 * (node --watch). The database keeps running.
 */
import { spawn } from "node:child_process";
import { mkdirSync } from "node:fs";
import { createRequire } from "node:module";
import { createServer } from "node:net";
import { once } from "node:events";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { readConfig, StartRefused } from "../apps/server/src/config.ts";
import { startEmbeddedPostgres } from "../apps/server/src/db/embedded/start-embedded-postgres.ts";
import { createLog } from "../apps/server/src/log.ts";

const repository = fileURLToPath(new URL("../", import.meta.url));
const requireFromWeb = createRequire(join(repository, "apps/web/package.json"));
const vite = join(dirname(requireFromWeb.resolve("vite/package.json")), "bin/vite.js");

async function run(): Promise<void> {
  const config = readConfig(process.env, { dev: true });
  mkdirSync(config.dataDir, { recursive: true, mode: 0o711 });
  const postgres = config.databaseUrl === null ? await startEmbeddedPostgres(config, createLog(config.logLevel)) : null;
  const apiPort = await freePort();
  const children = [
    start([...watching(), "apps/server/src/main.ts", "--dev"], {
      ...(postgres && { DATABASE_URL: postgres.url }),
      PUBLIC_URL: config.publicUrl?.origin ?? `http://localhost:${config.port}`,
      HOST: "127.0.0.1",
      PORT: String(apiPort),
    }),
    start([vite, "apps/web", "--host", config.host, "--port", String(config.port), "--strictPort"], {
      API_ADDRESS: `http://127.0.0.1:${apiPort}`,
    }),
  ];
  const stop = (): void => {
    for (const child of children) child.kill("SIGTERM");
  };
  process.on("SIGINT", stop);
  process.on("SIGTERM", stop);
  // One is useless without the other.
  await Promise.race(children.map((child) => once(child, "exit")));
  stop();
  await Promise.all(children.map((child) => child.exitCode ?? child.signalCode ?? once(child, "exit")));
  await postgres?.stop();
}

const watching = (): string[] =>
  ["apps/server/src", "packages", "carriers", "crms", "payments"].map((path) => `--watch-path=${path}`);

function start(args: string[], env: Record<string, string>) {
  return spawn(process.execPath, args, {
    cwd: repository,
    env: { ...process.env, ...env },
    stdio: ["ignore", "inherit", "inherit"],
  });
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (address === null || typeof address === "string") throw new Error("no port");
  return address.port;
}

try {
  await run();
} catch (error) {
  if (!(error instanceof StartRefused)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
