import { execFile } from "node:child_process";
import { lstat, mkdir, mkdtemp, readdir, readFile, rename, rm } from "node:fs/promises";
import { homedir, tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

import { lackingIn, packages } from "./peers-in.ts";

const run = promisify(execFile);

export interface FetchPeers {
  /** Where Debian's packages are installed, if they are. */
  machine?: string;
  /** The user's cache folder, in which the packages are kept for later runs. */
  cache?: string;
  env?: NodeJS.ProcessEnv;
  withinMs?: number;
}

export interface FetchedPeers {
  root: string;
  /** Deletes what was fetched for this run only. */
  remove(): Promise<void>;
}

const nothingToRemove = async (): Promise<void> => {};

/**
 * The machine's own peers if all of them are installed; otherwise the packages, unpacked into the user's cache, which
 * needs no root. Rejects with one sentence for the developer if they can't be had in time.
 */
export async function fetchPeers(options: FetchPeers = {}): Promise<FetchedPeers> {
  const { machine = "/", env = process.env, withinMs = 300_000 } = options;
  if ((await lackingIn(machine)).length === 0) return { root: machine, remove: nothingToRemove };

  const cache = options.cache ?? join(env["XDG_CACHE_HOME"] || join(homedir(), ".cache"), "leadline");
  const kept = await ownFolder(cache);
  const folder = kept ?? (await mkdtemp(join(tmpdir(), "leadline-sip-peers-")));
  const root = join(folder, `sip-peers-${await release()}-${process.arch}`);
  // Only if no one else can write to the folder, and it is complete: a cleanup tool may have removed files.
  if (kept !== null && (await lackingIn(root)).length === 0) return { root, remove: nothingToRemove };

  const signal = AbortSignal.timeout(withinMs);
  try {
    await unpackPeersInto(root, { env, signal });
  } catch (error) {
    if (kept === null) await rm(folder, { recursive: true, force: true });
    const why = signal.aborted ? `they did not come within ${Math.ceil(withinMs / 1_000)} s` : firstComplaint(error);
    throw new Error(
      `The tests of the SIP trunk need Debian's packages ${packages.join(", ")}, which are not all installed and could not be fetched: ${why}. Install them, or run the tests where a Debian mirror can be reached.`,
      { cause: error },
    );
  }
  const removeFolder = (): Promise<void> => rm(folder, { recursive: true, force: true });
  return { root, remove: kept === null ? removeFolder : nothingToRemove };
}

/** Null if it can't be created, belongs to someone else, or others could put programs there. */
async function ownFolder(path: string): Promise<string | null> {
  try {
    await mkdir(path, { recursive: true, mode: 0o700 });
    const found = await lstat(path);
    if (!found.isDirectory() || found.uid !== userInfo().uid || (found.mode & 0o022) !== 0) return null;
    // Fails on a read-only home.
    await rm(await mkdtemp(join(path, "try-")), { recursive: true });
    return path;
  } catch {
    return null;
  }
}

/** Packages of one release don't run on the next. */
async function release(): Promise<string> {
  const text = await readFile("/etc/os-release", "utf8").catch(() => "");
  const of = (key: string): string => new RegExp(`^${key}="?([\\w.-]+)`, "m").exec(text)?.[1] ?? "unknown";
  return `${of("ID")}-${of("VERSION_ID")}`;
}

interface Running {
  env: NodeJS.ProcessEnv;
  signal: AbortSignal;
}

async function unpackPeersInto(root: string, running: Running): Promise<void> {
  const unfinished = await mkdtemp(`${root}.`);
  try {
    const whole = await unpackPackages(packages, unfinished, running);
    const lacking = await lackingIn(whole);
    if (lacking.length > 0) throw new Error(`${lacking.join(", ")} did not start`);
    await rm(root, { recursive: true, force: true });
    // A folder gets its final name only when complete, even if two runs unpack at once.
    await rename(whole, root).catch(async (error: unknown) => {
      if ((await lackingIn(root)).length > 0) throw error;
    });
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
}

/**
 * Unpacks Debian's packages, even if the machine has some of them, and their missing dependencies into a new folder
 * below the given one; resolves to its path. Needs no root.
 */
export async function unpackPackages(names: readonly string[], folder: string, running: Running): Promise<string> {
  const debs = join(folder, "debs");
  await mkdir(debs);
  const download = async (apt: readonly string[]): Promise<void> => {
    const words = { ...running, env: { ...running.env, LC_ALL: "C" } };
    const asked = ["install", "-s", "--no-install-recommends", ...names];
    const { stdout } = await run("apt-get", [...apt, ...asked], words);
    const missing = [...stdout.matchAll(/^Inst (\S+)/gm)].map(([, name]) => name ?? "");
    await run("apt-get", [...apt, "download", "-q", ...new Set([...names, ...missing])], { ...words, cwd: debs });
  };
  // The machine's own package lists may be missing, or older than the mirror.
  await download(await givenLists()).catch(async (error: unknown) => {
    if (running.signal.aborted || isMissing(error)) throw error;
    await download(await freshLists(folder, running));
  });
  const whole = join(folder, "whole");
  for (const deb of await readdir(debs)) await run("dpkg-deb", ["-x", join(debs, deb), whole], running);
  return whole;
}

/**
 * Gives up soon on a mirror that doesn't respond; root fetches as itself, into a folder that no other user may enter.
 */
const patience = ["-o", "Acquire::Retries=1", "-o", "Acquire::http::Timeout=20", "-o", "Acquire::https::Timeout=20"];
const givenLists = async (): Promise<string[]> => [
  ...patience,
  ...(userInfo().uid === 0 ? ["-o", "APT::Sandbox::User=root"] : []),
];

async function freshLists(folder: string, running: Running): Promise<string[]> {
  const lists = join(folder, "lists");
  const cache = join(folder, "cache");
  await mkdir(join(lists, "partial"), { recursive: true });
  await mkdir(join(cache, "archives/partial"), { recursive: true });
  const places = ["-o", `Dir::State::lists=${lists}`, "-o", `Dir::Cache=${cache}`, "-o", "Debug::NoLocking=1"];
  const options = [...(await givenLists()), ...places];
  // Without this, apt succeeds even with no list at all.
  await run("apt-get", [...options, "-o", "APT::Update::Error-Mode=any", "update", "-q"], running);
  return options;
}

const isMissing = (error: unknown): boolean => error instanceof Error && "code" in error && error.code === "ENOENT";

/** apt's first error: the others follow from it. */
function firstComplaint(error: unknown): string {
  if (isMissing(error)) return "this machine has no apt-get";
  const said = error instanceof Error && "stderr" in error ? String(error.stderr) : "";
  const complaint = said.split("\n").find((line) => line.startsWith("E: "));
  return complaint?.slice(3).replace(/\.$/, "") ?? (error instanceof Error ? error.message.split("\n")[0] : "") ?? "";
}
