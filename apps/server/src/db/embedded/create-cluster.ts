import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { chmodSync, chownSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { Client, type ClientConfig } from "pg";
import { StartRefused } from "../../config.ts";
import { postgresEnvironment } from "./postmaster.ts";
import type { RunAs } from "./unprivileged-user.ts";

/** Readable by us only; Postgres stores it as SCRAM. */
export function readOrMakePassword(dataDir: string): string {
  const file = join(dataDir, "database-password");
  if (!existsSync(file)) writeFileSync(file, randomBytes(24).toString("base64url"), { mode: 0o600, flag: "wx" });
  return readFileSync(file, "utf8").trim();
}

/** Built next to its final place and then moved, so that an interrupted start leaves nothing that looks complete. */
export async function createCluster(options: {
  initdb: string;
  folder: string;
  password: string;
  runAs: RunAs;
}): Promise<void> {
  const building = `${options.folder}.building`;
  rmSync(building, { recursive: true, force: true });
  mkdirSync(building, { mode: 0o700 });
  const passwordFile = `${building}-password`;
  rmSync(passwordFile, { force: true });
  writeFileSync(passwordFile, options.password, { mode: 0o600, flag: "wx" });
  if (options.runAs.owner) {
    chownSync(building, options.runAs.owner.uid, options.runAs.owner.gid);
    chownSync(passwordFile, options.runAs.owner.uid, options.runAs.owner.gid);
  }
  chmodSync(building, 0o700);
  const command = options.runAs.command(options.initdb, [
    `--pgdata=${building}`,
    "--username=postgres",
    "--auth=scram-sha-256",
    `--pwfile=${passwordFile}`,
    "--encoding=UTF8",
    "--locale=C",
    "--locale-provider=builtin",
    "--builtin-locale=C.UTF-8",
  ]);
  const child = spawn(command.program, command.args, {
    ...command.options,
    stdio: ["ignore", "ignore", "pipe"],
    env: postgresEnvironment(),
  });
  const exit = new Promise<number | null>((resolve, reject) => child.once("error", reject).once("close", resolve));
  const [code, errors] = await Promise.all([exit, text(child.stderr)]);
  rmSync(passwordFile, { force: true });
  if (code !== 0) {
    throw new StartRefused(`The embedded database could not be made in ${options.folder}:\n${errors.trim()}`);
  }
  renameSync(building, options.folder);
}

/** Leadline's own login owns the database and may create roles, but isn't a superuser. Idempotent. */
export async function createOwnerAndDatabase(superuser: ClientConfig, password: string): Promise<void> {
  const client = new Client(superuser);
  await client.connect();
  try {
    const secret = client.escapeLiteral(password);
    const { rowCount: roles } = await client.query("select 1 from pg_roles where rolname = 'leadline'");
    await client.query(`${roles === 0 ? "create" : "alter"} role leadline login createrole password ${secret}`);
    const { rowCount: databases } = await client.query("select 1 from pg_database where datname = 'leadline'");
    if (databases === 0) await client.query("create database leadline owner leadline");
  } finally {
    await client.end();
  }
}
