import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { type Break, breaks } from "./breaks.ts";

/**
 * Plants each break of scripts/breaks.ts in a copy of the last commit and runs the tests that must catch it; fails if
 * one of them passes. `node scripts/plant-breaks.ts [words of what it does]`
 */
const root = resolve(import.meta.dirname, "..");
const ownWorkspaces = "@leadline";

async function run(program: string, args: readonly string[], cwd: string): Promise<{ code: number; output: string }> {
  const path = `${join(root, "node_modules/.bin")}:${process.env["PATH"]}`;
  const child = spawn(program, args, { cwd, env: { ...process.env, PATH: path, NO_COLOR: "1" } });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => (output += chunk.toString()));
  const [code] = await once(child, "close");
  return { code: Number(code), output };
}

/** Its workspace packages are the copy's, so that a break in them takes effect. */
async function makeCopy(): Promise<{ folder: string; remove(): Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), "leadline-breaks-"));
  await run("git", ["worktree", "add", "--detach", folder, "HEAD"], root);
  const [from, to] = [join(root, "node_modules"), join(folder, "node_modules")];
  mkdirSync(join(to, ownWorkspaces), { recursive: true });
  for (const name of readdirSync(from)) if (name !== ownWorkspaces) symlinkSync(join(from, name), join(to, name));
  for (const name of readdirSync(join(from, ownWorkspaces)))
    symlinkSync(readlinkSync(join(from, ownWorkspaces, name)), join(to, ownWorkspaces, name));
  return {
    folder,
    async remove() {
      rmSync(folder, { recursive: true, force: true });
      await run("git", ["worktree", "prune"], root);
    },
  };
}

/** By each of its files or folders of tests, the test that failed first, or null if all passed. */
async function caughtBy(folder: string, { file, from, to, tests }: Break): Promise<Map<string, string | null>> {
  for (const each of tests) await passes(folder, each);
  const path = join(folder, file);
  const before = readFileSync(path, "utf8");
  if (before.split(from).length !== 2) throw new Error(`its text isn't found exactly once in ${file}`);
  writeFileSync(
    path,
    before.replace(from, () => to),
  );
  try {
    const found = new Map<string, string | null>();
    for (const each of tests) found.set(each, await firstFailure(folder, each));
    return found;
  } finally {
    writeFileSync(path, before);
  }
}

const passing = new Set<string>();
/** Once for each: what fails anyway catches nothing. */
async function passes(folder: string, tests: string): Promise<void> {
  if (passing.has(tests)) return;
  const failure = await firstFailure(folder, tests);
  if (failure !== null) throw new Error(`${failure} fails without the break`);
  passing.add(tests);
}

async function firstFailure(folder: string, tests: string): Promise<string | null> {
  const { code, output } = await run("npx", ["vitest", "run", "--bail=1", "--reporter=verbose", tests], folder);
  if (code === 0) return null;
  const failed = /^ *(?:×|FAIL) +(.*)$/m.exec(output)?.[1];
  if (failed === undefined) throw new Error(`no test ran: ${output.slice(-3_000)}`);
  return failed;
}

const [words = ""] = process.argv.slice(2);
const chosen = breaks.filter(({ what }) => what.includes(words));
const copy = await makeCopy();
let caught = 0;
try {
  for (const each of chosen) {
    const found = await caughtBy(copy.folder, each).catch((error: Error) => error);
    if (found instanceof Error) {
      console.log(`NOT TRIED ${each.what}\n          ${String(found)}`);
      continue;
    }
    const passed = [...found].filter(([, failure]) => failure === null);
    if (passed.length === 0) caught++;
    const verdict = passed.length === 0 ? "caught" : passed.length < found.size ? "PARTLY" : "SURVIVES";
    console.log(`${verdict.padEnd(9)} ${each.what}`);
    for (const [tests, failure] of found) console.log(`          ${failure ?? `${tests} passes`}`);
  }
} finally {
  await copy.remove();
}
console.log(`${chosen.length} breaks, ${caught} caught`);
process.exitCode = caught === chosen.length ? 0 : 1;
