import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, readdir, rename, rm } from "node:fs/promises";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/** SIP software that nobody here wrote, by the Debian package that holds it. */
const packages = ["sip-tester", "baresip-core", "kamailio", "kamailio-tls-modules", "openssl"];
const programs = {
  sipp: "usr/bin/sipp",
  baresip: "usr/bin/baresip",
  kamailio: "usr/sbin/kamailio",
  openssl: "usr/bin/openssl",
};
const triplets: Partial<Record<NodeJS.Architecture, string>> = { x64: "x86_64-linux-gnu", arm64: "aarch64-linux-gnu" };
const triplet = triplets[process.arch] ?? "";

export interface Peers {
  /** The full path of each program. */
  programs: Record<keyof typeof programs, string>;
  kamailioModules: string;
  baresipModules: string;
  env: NodeJS.ProcessEnv;
}

/** The machine's own where all are installed; otherwise unpacked once into this user's temporary folder, which needs no root. */
export async function findPeers(): Promise<Peers> {
  if (Object.values(programs).every((path) => existsSync(join("/", path)))) return peersIn("/");
  const folder = join(tmpdir(), `leadline-sip-peers-${userInfo().uid}`);
  if (!existsSync(folder)) await unpackInto(folder);
  return peersIn(folder);
}

function peersIn(root: string): Peers {
  const libraries = join(root, "usr/lib", triplet);
  const at = (name: keyof typeof programs): string => {
    const own = join("/", programs[name]);
    return existsSync(own) ? own : join(root, programs[name]);
  };
  return {
    programs: { sipp: at("sipp"), baresip: at("baresip"), kamailio: at("kamailio"), openssl: at("openssl") },
    kamailioModules: join(libraries, "kamailio/modules"),
    baresipModules: join(root, "usr/lib/baresip/modules"),
    env: {
      ...process.env,
      ...(root !== "/" && { LD_LIBRARY_PATH: `${libraries}:${join(libraries, "kamailio")}` }),
      TERM: "dumb",
    },
  };
}

async function unpackInto(folder: string): Promise<void> {
  const unfinished = `${folder}.${process.pid}`;
  const debs = join(unfinished, "debs");
  await mkdir(debs, { recursive: true, mode: 0o700 });
  try {
    const apt = await aptOptions(unfinished);
    const missing = await missingPackages(apt);
    await run("apt-get", [...apt, "download", "-q", ...missing], { cwd: debs });
    for (const deb of await readdir(debs)) await run("dpkg-deb", ["-x", join(debs, deb), unfinished]);
    await rm(debs, { recursive: true });
    // Under its final name a folder is whole, also where two runs unpack at once.
    await rename(unfinished, folder).catch((error: unknown) => {
      if (!existsSync(folder)) throw error;
    });
  } catch (error) {
    throw new Error(`The tests of the SIP trunk need these Debian packages: ${packages.join(", ")}.`, { cause: error });
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
}

/** Those, and what they need, that this machine has not. */
async function missingPackages(apt: readonly string[]): Promise<string[]> {
  const { stdout } = await run("apt-get", [...apt, "install", "-s", "--no-install-recommends", ...packages]);
  return [...stdout.matchAll(/^Inst (\S+)/gm)].map(([, name]) => name ?? "");
}

/** A fresh machine knows no package: then its lists are read anew, into a folder of ours, which needs no root either. */
async function aptOptions(folder: string): Promise<string[]> {
  const known = await missingPackages([]).then(
    () => true,
    () => false,
  );
  if (known) return [];
  const lists = join(folder, "lists");
  const cache = join(folder, "cache");
  await mkdir(join(lists, "partial"), { recursive: true });
  await mkdir(join(cache, "archives/partial"), { recursive: true });
  const options = ["-o", `Dir::State::lists=${lists}`, "-o", `Dir::Cache=${cache}`, "-o", "Debug::NoLocking=1"];
  await run("apt-get", [...options, "update", "-q"]);
  return options;
}
