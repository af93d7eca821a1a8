import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";

import { expect, onTestFinished, test } from "vitest";

import { fetchPeers } from "./fetch-peers.ts";
import { peersIn } from "./peers-in.ts";

/** The files of each package, in their places. */
const { programs, kamailioModules, baresipModules, linphonecRunsIn } = peersIn("/");
const files = {
  "sip-tester": [programs.sipp],
  "baresip-core": [programs.baresip, ...["g711.so", "ctrl_tcp.so"].map((name) => join(baresipModules, name))],
  kamailio: [programs.kamailio, join(kamailioModules, "tm.so")],
  "kamailio-tls-modules": [join(kamailioModules, "tls.so")],
  openssl: [programs.openssl],
  "linphone-cli": [programs.linphonec, join(linphonecRunsIn, "share/belr/grammars/vcard_grammar")],
  "rtpengine-daemon": [programs.rtpengine],
  coturn: [programs.turnserver],
};
type Package = keyof typeof files;
const all = Object.keys(files) as Package[];

async function put(root: string, packages: readonly Package[]): Promise<void> {
  for (const path of packages.flatMap((name) => files[name])) {
    const file = join(root, relative("/", path));
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, "#!/bin/sh\nexit 0\n", { mode: 0o755 });
  }
}

/**
 * A machine with these packages installed, and an apt-get whose mirror is this folder; `apt` is shell code that runs
 * first.
 */
async function openMachine(installed: readonly Package[], apt = "") {
  const folder = await mkdtemp(join(tmpdir(), "leadline-fetch-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const at = (name: string): string => join(folder, name);
  for (const name of ["machine", "mirror", "bin"]) await mkdir(at(name));
  await put(at("machine"), installed);
  for (const name of all) await put(at(`mirror/${name}`), [name]);
  const asked = at("asked");
  await writeFile(asked, "");
  const programsOfApt = {
    "apt-get": `echo "$*" >> ${asked}\n${apt}\ncase "$*" in *download*) for p in ${all.join(" ")}; do case " $* " in *" $p "*) echo $p > $p.deb;; esac; done;; esac`,
    "dpkg-deb": `mkdir -p "$3" && cp -r ${at("mirror")}/$(cat "$2")/. "$3"`,
  };
  for (const [name, lines] of Object.entries(programsOfApt))
    await writeFile(at(`bin/${name}`), `#!/bin/sh\n${lines}\n`, { mode: 0o755 });
  const env = { ...process.env, PATH: `${at("bin")}:${process.env["PATH"]}` };
  const cache = at("cache/leadline");
  const downloads = async (): Promise<number> => (await readFile(asked, "utf8")).split(" download ").length - 1;
  return {
    cache,
    downloads,
    fetch: async (withinMs = 20_000) => fetchPeers({ machine: at("machine"), cache, env, withinMs }),
  };
}

test("a machine that has them all uses its own, and nothing is fetched", async () => {
  const machine = await openMachine(all);
  expect((await machine.fetch()).root).toMatch(/machine$/);
  expect(await machine.downloads()).toBe(0);
});

test("a machine that has some of them gets all from one place, so that each finds its own modules", async () => {
  const machine = await openMachine(["kamailio", "baresip-core", "openssl"]);
  const { root } = await machine.fetch();
  for (const path of Object.values(files).flat()) await stat(join(root, relative("/", path)));
  expect(dirname(root)).toBe(machine.cache);
});

test("they are fetched once for all later runs, and again after a cleanup tool has removed files", async () => {
  const machine = await openMachine([]);
  const [{ root }] = await Promise.all([machine.fetch(), machine.fetch()]);
  const first = await machine.downloads();
  expect((await machine.fetch()).root).toBe(root);
  expect(await machine.downloads()).toBe(first);
  await rm(join(root, relative("/", programs.sipp)));
  expect((await machine.fetch()).root).toBe(root);
  expect(await machine.downloads()).toBe(first + 1);
  expect(await readdir(machine.cache)).toHaveLength(1);
});

test("a cache that others can write to isn't trusted: they are fetched for that run only", async () => {
  const machine = await openMachine([]);
  await machine.fetch();
  await chmod(machine.cache, 0o777);
  const { root, remove } = await machine.fetch();
  expect(dirname(root)).not.toBe(machine.cache);
  await stat(root);
  await remove();
  await expect(stat(dirname(root))).rejects.toThrow("ENOENT");
});

test("package lists that the mirror no longer has are refreshed", async () => {
  const stale = `case "$*" in *update*) touch "$0.fresh";; *download*) [ -e "$0.fresh" ] || { echo "E: 404 Not Found" >&2; exit 100; };; esac`;
  const machine = await openMachine([], stale);
  await stat((await machine.fetch()).root);
  expect(await machine.downloads()).toBe(2);
});

test("a mirror that doesn't respond is given up in time, with one sentence that says what to do", async () => {
  const machine = await openMachine([], "exec sleep 60");
  await expect(machine.fetch(300)).rejects.toThrow(
    /^The tests of the SIP trunk need Debian's packages sip-tester, .*: they did not come within 1 s\. Install them, or .*\.$/,
  );
});

test("that sentence contains apt's error message", async () => {
  const machine = await openMachine([], 'echo "E: Could not resolve the mirror." >&2; exit 100');
  await expect(machine.fetch()).rejects.toThrow(": Could not resolve the mirror. Install them");
  expect(await readdir(machine.cache)).toEqual([]);
});
