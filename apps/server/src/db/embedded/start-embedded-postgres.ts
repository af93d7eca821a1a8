import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Client, type ClientConfig } from "pg";
import { type Config, StartRefused } from "../../config.ts";
import type { Log } from "../../log.ts";
import { createCluster, createOwnerAndDatabase, readOrMakePassword } from "./create-cluster.ts";
import { locatePostgresBinaries } from "./postgres-binaries.ts";
import {
  chooseSocketFolder,
  findLivePostmaster,
  freePort,
  isAlive,
  type Postmaster,
  spawnPostmaster,
  stopPostmaster,
} from "./postmaster.ts";
import { chooseRunAs } from "./unprivileged-user.ts";

export interface EmbeddedPostgres {
  /** The owner's connection string: through the Unix socket if there is one, which costs less than TCP. */
  url: string;
  stop(): Promise<void>;
}

/**
 * Creates the database on the first start, adopts one that a killed Leadline left running, and restarts it if it dies.
 */
export async function startEmbeddedPostgres(config: Pick<Config, "dataDir">, log: Log): Promise<EmbeddedPostgres> {
  const binaries = locatePostgresBinaries();
  makeFolder(config.dataDir);
  const folder = join(config.dataDir, "postgres");
  const logFile = join(config.dataDir, "postgres.log");
  const password = readOrMakePassword(config.dataDir);
  const runAs = chooseRunAs([config.dataDir, binaries.postgres.replace(/[^/]+$/, "")]);
  if (!existsSync(join(folder, "PG_VERSION"))) {
    log.info({ folder }, "creating the embedded database");
    await createCluster({ initdb: binaries.initdb, folder, password, runAs });
  }

  const spawning = {
    program: binaries.postgres,
    folder,
    logFile,
    runAs,
    socketFolder: await chooseSocketFolder(folder),
  };
  const spawnOn = (port: number) => spawnPostmaster({ ...spawning, port });
  const adopted = findLivePostmaster(folder);
  if (adopted) log.info({ pid: adopted.pid }, "adopting the embedded database that was left running");
  let postmaster: Postmaster = adopted ?? spawnOn(await freePort());
  const { port, socketFolder } = postmaster;
  const login = (user: string, database: string): ClientConfig => ({
    host: "127.0.0.1",
    port,
    user,
    password,
    database,
    application_name: "leadline-keeper",
    connectionTimeoutMillis: 5_000,
    keepAlive: true,
  });

  const state = { stopping: false };
  let keeper: Client | undefined;
  const explain = () => readFileSync(logFile, "utf8").trim().split("\n").slice(-5).join("\n");

  /**
   * Connects as soon as Postgres accepts connections; crash recovery may take a while. False if another process holds
   * the lock.
   */
  const connectKeeper = async (): Promise<boolean> => {
    const patience = AbortSignal.timeout(120_000);
    for (;;) {
      const client = new Client(login("leadline", "leadline"));
      client.on("error", () => {});
      try {
        await client.connect();
        const isOurs = await lockForThisProcess(client);
        keeper = client;
        client.once("end", () => void keepAlive());
        return isOurs;
      } catch (error) {
        await client.end().catch(() => {});
        const code = errorCode(error);
        if (missingOwner.has(code)) await createOwnerAndDatabase(login("postgres", "postgres"), password);
        else if (!notUpYet.has(code) || patience.aborted || !isAlive(postmaster.pid)) {
          throw new StartRefused(`The embedded database did not start (${logFile}):\n${explain()}`, { cause: error });
        } else await sleep(15);
      }
    }
  };

  const keepAlive = async (): Promise<void> => {
    while (!state.stopping) {
      log.error("the connection to the embedded database was lost");
      try {
        if (!isAlive(postmaster.pid)) {
          log.warn("the embedded database died; starting it again");
          postmaster = findLivePostmaster(folder) ?? spawnOn(port);
        }
        if (await connectKeeper()) log.info("the embedded database is running again");
        else log.error("the embedded database is running again, and another Leadline uses it too");
        return;
      } catch (error) {
        // The children of a killed postmaster keep its shared memory for a moment, and it refuses to start meanwhile.
        log.error({ err: error }, "the embedded database could not be restarted yet");
        await sleep(250);
      }
    }
  };

  if (!(await connectKeeper())) {
    state.stopping = true;
    await keeper?.end();
    throw new StartRefused(
      `Another Leadline already runs on ${config.dataDir}. Stop it first, or set another DATA_DIR and PORT.`,
    );
  }
  return {
    url: `postgres://leadline:${password}@127.0.0.1:${port}/leadline${socketFolder && `?host=${encodeURIComponent(socketFolder)}`}`,
    async stop() {
      state.stopping = true;
      await keeper?.end().catch(() => {});
      await stopPostmaster(postmaster.pid);
    },
  };
}

/** 28P01, 28000, 3D000: no such login or database: the first start was interrupted before creating them. */
const missingOwner = new Set(["28P01", "28000", "3D000"]);
/** 57P03: starting up or shutting down. An empty code: the connection was closed during the handshake. */
const notUpYet = new Set(["ECONNREFUSED", "ECONNRESET", "57P03", "EPIPE", ""]);

function errorCode(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}

function makeFolder(dataDir: string): void {
  try {
    // Others can traverse to the database's own folder, but not list this one.
    mkdirSync(dataDir, { recursive: true, mode: 0o711 });
  } catch {
    throw new StartRefused(`DATA_DIR ${dataDir} cannot be made. Choose a folder that this user may write to.`);
  }
}

/**
 * Held by the keeper's connection, so it ends with the process; a killed process's connection may linger for a moment.
 */
async function lockForThisProcess(keeper: Client): Promise<boolean> {
  for (let attempt = 0; attempt < 30; attempt++) {
    const { rows } = await keeper.query("select pg_try_advisory_lock(7310, 1) as locked");
    if (rows[0]?.locked === true) return true;
    await sleep(100);
  }
  return false;
}
