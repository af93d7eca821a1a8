import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";

/** Third-party SIP software, by Debian package. */
export const packages = [
  "sip-tester",
  "baresip-core",
  "kamailio",
  "kamailio-tls-modules",
  "openssl",
  "linphone-cli",
  "rtpengine-daemon",
  "coturn",
];
const triplets: Partial<Record<NodeJS.Architecture, string>> = { x64: "x86_64-linux-gnu", arm64: "aarch64-linux-gnu" };
const triplet = triplets[process.arch] ?? "";
/** Each with the argument that makes it print its version and exit. */
const programs = {
  sipp: ["usr/bin/sipp", "-v"],
  baresip: ["usr/bin/baresip", "-h"],
  kamailio: ["usr/sbin/kamailio", "-v"],
  openssl: ["usr/bin/openssl", "version"],
  linphonec: ["usr/bin/linphonec", "-v"],
  rtpengine: ["usr/bin/rtpengine", "--version"],
  turnserver: ["usr/bin/turnserver", "--version"],
} as const;

export interface Peers {
  /** The full path of each program. */
  programs: Record<keyof typeof programs, string>;
  /** The folder with `share/belr/grammars`: linphonec looks for it in its own folder, or in its working directory. */
  linphonecRunsIn: string;
  kamailioModules: string;
  baresipModules: string;
  env: NodeJS.ProcessEnv;
}

/** The folder of the unpacked or installed packages: all in one place, so that each program finds its own modules. */
export function peersIn(root: string): Peers {
  const libraries = join(root, "usr/lib", triplet);
  const at = (name: keyof typeof programs): string => join(root, programs[name][0]);
  const inOwnFolders = [join(libraries, "kamailio"), join(libraries, "pulseaudio")];
  const unpacked = [libraries, join(root, "lib", triplet), ...inOwnFolders].join(":");
  return {
    programs: {
      sipp: at("sipp"),
      baresip: at("baresip"),
      kamailio: at("kamailio"),
      openssl: at("openssl"),
      linphonec: at("linphonec"),
      rtpengine: at("rtpengine"),
      turnserver: at("turnserver"),
    },
    linphonecRunsIn: join(root, "usr"),
    kamailioModules: join(libraries, "kamailio/modules"),
    baresipModules: join(root, "usr/lib/baresip/modules"),
    env: { ...process.env, ...(root !== "/" && { LD_LIBRARY_PATH: unpacked }), TERM: "dumb" },
  };
}

/** From linphone-common: without it linphonec exits immediately. */
const vcardGrammar = "share/belr/grammars/vcard_grammar";

/** What doesn't work there; empty if everything is complete. */
export async function lackingIn(root: string): Promise<string[]> {
  const peers = peersIn(root);
  const modules = [
    join(peers.kamailioModules, "tm.so"),
    join(peers.kamailioModules, "tls.so"),
    join(peers.baresipModules, "g711.so"),
    join(peers.baresipModules, "ctrl_tcp.so"),
    join(peers.linphonecRunsIn, vcardGrammar),
  ];
  const started = await Promise.all(
    Object.entries(programs).map(async ([name, [path, asked]]) =>
      (await starts(join(root, path), asked, peers.env)) ? [] : [name],
    ),
  );
  return [...started.flat(), ...modules.filter((path) => !existsSync(path))];
}

/** 127: the loader misses a library. Any other exit code is the program's own. */
function starts(program: string, asked: string, env: NodeJS.ProcessEnv): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn(program, [asked], { env, stdio: "ignore", timeout: 10_000 });
    child.on("error", () => resolve(false));
    child.on("exit", (code) => resolve(code !== null && code !== 127));
  });
}
