import { execFileSync } from "node:child_process";
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { tmpdir, userInfo } from "node:os";
import { dirname, join } from "node:path";

export interface Chromium {
  executablePath: string;
  env: Record<string, string>;
}

const installed = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome-stable",
  "/usr/bin/google-chrome",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];

/**
 * CHROMIUM_PATH, otherwise the one from npm, which is the same on every machine and, being headless, takes half the
 * processor time; if there is none for this machine, its own.
 */
export async function findChromium(): Promise<Chromium> {
  const given = process.env["CHROMIUM_PATH"];
  if (given) return { executablePath: given, env: {} };
  if (process.platform === "linux" && process.arch === "x64") return unpackChromium();
  const own = installed.find(isExecutable);
  if (own === undefined) throw new Error("No Chromium on this machine: install one, or name one in CHROMIUM_PATH.");
  return { executablePath: own, env: {} };
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** The npm package unpacks into a temporary folder shared by all users; this uses a folder of this user's own, once. */
async function unpackChromium(): Promise<Chromium> {
  const packedIn = dirname(createRequire(import.meta.url).resolve("@sparticuz/chromium"));
  const { default: packed, inflate } = await import("@sparticuz/chromium");
  const folder = join(tmpdir(), `leadline-chromium-${versionOf(packedIn)}-${userInfo().uid}`);
  const executablePath = join(folder, "chromium");
  const fontsFile = join(folder, "fonts.conf");
  if (!isExecutable(executablePath) || !existsSync(fontsFile) || statSync(folder).uid !== userInfo().uid) {
    const unfinished = `${folder}.${process.pid}`;
    mkdirSync(unfinished, { mode: 0o700 });
    await withTemporaryFolder(unfinished, async () => {
      await packed.executablePath();
      await inflate(join(packedIn, "../bin/al2023.tar.br"));
    });
    writeFileSync(join(unfinished, "fonts.conf"), fontsIn(folder));
    // A folder gets its final name only when complete, even if two runs unpack at once.
    rmSync(folder, { recursive: true, force: true });
    renameSync(unfinished, folder);
  }
  return { executablePath, env: { FONTCONFIG_FILE: fontsFile, ...librariesFor(executablePath, folder) } };
}

function versionOf(packedIn: string): string {
  const { version } = JSON.parse(readFileSync(join(packedIn, "../package.json"), "utf8")) as { version: string };
  return version;
}

async function withTemporaryFolder(folder: string, work: () => Promise<void>): Promise<void> {
  const before = process.env["TMPDIR"];
  process.env["TMPDIR"] = folder;
  try {
    await work();
  } finally {
    if (before === undefined) delete process.env["TMPDIR"];
    else process.env["TMPDIR"] = before;
  }
}

/** The package's own font configuration names folders that only exist in a cloud function. */
const fontsIn = (folder: string): string => `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><dir>${join(folder, "fonts")}</dir><cachedir>${join(folder, "fonts-cache")}</cachedir></fontconfig>
`;

/** Bare machines lack NSS, which the package contains. */
function librariesFor(executablePath: string, folder: string): Record<string, string> {
  const lacks = execFileSync("ldd", [executablePath], { encoding: "utf8" }).includes("not found");
  return lacks ? { LD_LIBRARY_PATH: join(folder, "al2023/lib") } : {};
}
