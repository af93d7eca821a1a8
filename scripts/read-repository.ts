import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

export interface RepositoryFile {
  /** From the repository's root. */
  path: string;
  text: string;
}

/** What git tracks or would add: neither builds nor installed packages. Without git (an archive), what is there. */
function listFiles(): string[] {
  const command = ["ls-files", "--cached", "--others", "--exclude-standard"];
  const listed = execFileSync("git", command, { encoding: "utf8", maxBuffer: 2 ** 24 });
  return listed.split("\n").filter((path) => path !== "" && existsSync(path));
}

const read = (path: string): RepositoryFile => ({ path, text: readFileSync(path, "utf8") });

export const codeFiles = (): RepositoryFile[] =>
  listFiles()
    .filter((path) => /\.tsx?$/.test(path))
    .map(read);

export const readDocs = (): RepositoryFile[] =>
  listFiles()
    .filter((path) => path.endsWith(".md"))
    .map(read);

/** Strings are matched first, so that `//` inside one isn't a comment. */
const stringsAndComments = /"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`|\/\*[\s\S]*?\*\/|\/\/[^\n]*/g;

export const withoutComments = (code: string): string =>
  code.replaceAll(stringsAndComments, (found) => (found.startsWith("/") ? "" : found));

/** The titles of tests and suites: the first argument, in its quotes, of test, describe and the result of each(). */
export const titlesIn = (code: string): string[] =>
  [...code.matchAll(stringsAndComments)]
    .filter(({ index }) => /(?:\btest|\bdescribe|\))\(\s*$/.test(code.slice(Math.max(0, index - 40), index)))
    .map(([found]) => found);

/** A file's imports, including types: relative ones as paths from the root, packages by name. */
export function importsOf({ path, text }: RepositoryFile): string[] {
  const specifiers = text.matchAll(/(?:\bfrom|\bimport|\bimport\(|new URL\()\s*["']([^"'\n]+)["']/g);
  return [...withoutMatches(specifiers)].map((name) => (name.startsWith(".") ? join(dirname(path), name) : name));
}

function* withoutMatches(matches: Iterable<RegExpExecArray>): Generator<string> {
  for (const [, name] of matches) if (name !== undefined) yield name;
}

/** Paths in backticks below a folder of the root, without patterns and placeholders. */
export const citedPaths = (markdown: string): string[] =>
  [
    ...markdown.matchAll(/`((?:apps|packages|carriers|crms|payments|e2e|bench|testing|docs|scripts|\.ci)\/[\w./-]+)`/g),
  ].map(([, path]) => path ?? "");

export const relativeLinks = (markdown: string): string[] =>
  [...markdown.matchAll(/\]\((?!https?:|mailto:|#)([^)#\s]+)/g)].map(([, link]) => link ?? "");
