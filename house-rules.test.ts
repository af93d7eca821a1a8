import { existsSync, readFileSync } from "node:fs";
import { basename, dirname, join, normalize } from "node:path";
import { endpoints } from "@leadline/contract/endpoints";
import type { Endpoint } from "@leadline/contract/endpoint";
import { specifiedCrm } from "@leadline/contract/integrations";
import { callees } from "@leadline/carrier-sandbox/callees";
import { describe, expect, test } from "vitest";
import { breaks } from "./scripts/breaks.ts";
import {
  citedPaths,
  codeFiles,
  readDocs,
  relativeLinks,
  titlesIn,
  withoutComments,
} from "./scripts/read-repository.ts";
import { namedTests, readSpecCoverage } from "./scripts/read-spec-coverage.ts";

const files = codeFiles();
const tests = files.filter((file) => /\.test\.tsx?$/.test(file.path));
const sources = files.filter((file) => !tests.includes(file));

/** Each rule returns the places that break it, so that a failure is a list to work through. */
const broken = (rule: (file: (typeof files)[number]) => boolean, among = files): string[] =>
  among.filter(rule).map((file) => file.path);

describe("where code belongs", () => {
  /** By their folders, so that a new one is covered at once. */
  const folderOfVendor = /^(?:carriers|crms|payments)\/(?!sandbox\/|sip-trunk\/)([\w-]+)\//;
  const vendors = [...new Set(files.flatMap(({ path }) => folderOfVendor.exec(path)?.[1] ?? []))];
  const names = (text: string, vendor: string) => new RegExp(`${vendor}(?!d)`, "i").test(withoutComments(text));

  test("vendor terms stay in the vendor's folder", () => {
    const exempt = [
      // Exempt: the landing page, which lists what can be connected; adapters.ts, which is the list; breaks.ts, which
      // quotes the code it changes; and the file that lists payment providers for tests.
      /^apps\/server\/src\/testing\/payment-labs\.ts$/,
      /^(scripts\/((product|sync|writing)-)?breaks\.ts$|apps\/web\/src\/screens\/landing\/|apps\/server\/src\/adapters\.ts$|house-rules\.test\.ts$)/,
      // The specification gives these routes and choices a vendor's name, so their tests have to use it.
      /^(packages\/contract\/src\/(integrations|specified-calls\.test|testing\/specified-rules)\.ts|e2e\/(integrations|specified-(public-)?screens)\.test\.ts)$/,
      /^apps\/server\/src\/(features\/integrations\/((access|connect|mapping|sync|webhooks)\/)?[\w-]+\.test|http\/specified-calls\.test)\.ts$/,
    ];
    const places = vendors.flatMap((vendor) => {
      const allowed = [...exempt, new RegExp(`^(carriers|crms|payments)/(sandbox/)?${vendor}/`)];
      return broken(({ path, text }) => !allowed.some((place) => place.test(path)) && names(text, vendor));
    });
    expect(places).toEqual([]);
  });

  test("of the vendors, the contract only names the one whose routes are specified", () => {
    const contract = sources.filter(({ path }) => /^packages\/contract\/src\/(?!testing\/)/.test(path));
    expect(vendors.filter((vendor) => contract.some(({ text }) => names(text, vendor)))).toEqual([specifiedCrm]);
  });

  test("the database is only queried in *.table.ts and db/", () => {
    const speaks = /\bsql`|\.(selectFrom|insertInto|updateTable|deleteFrom|mergeInto)\(/;
    const room = /\.table\.ts$|^scripts\/breaks\.ts$|\/src\/(db|testing)\//;
    expect(broken(({ path, text }) => !room.test(path) && speaks.test(withoutComments(text)), sources)).toEqual([]);
  });

  test("only address-of.ts reads a request's address", () => {
    const reads = /\b(request|req)\.ips?\b|\{[^{}]*\bips?\b[^{}]*\} = request\b/;
    const server = sources.filter(({ path }) => path.startsWith("apps/server/src/"));
    expect(broken(({ path, text }) => !path.endsWith("/address-of.ts") && reads.test(text), server)).toEqual([]);
  });

  test("no file is named utils, helpers, service, manager, common or misc", () => {
    expect(
      broken(({ path }) => /(^|[-./])(utils?|helpers?|services?|managers?|common|misc)\.tsx?$/.test(path)),
    ).toEqual([]);
  });

  test("files are named in kebab-case", () => {
    expect(broken(({ path }) => !/^[a-z0-9]+(-[a-z0-9]+)*(\.[a-z]+)*\.tsx?$/.test(basename(path)))).toEqual([]);
  });

  test("no file is longer than 300 lines", () => {
    expect(broken(({ text }) => text.split("\n").length > 301)).toEqual([]);
  });
});

test("text on screen uses typographic apostrophes", () => {
  const straight = /[a-z]'(s|t|re|ll)?\b/i;
  const said = /new (?:Problem|CrmError|UnusableOffer|ApiRefusal)\([^;]*|refusalPage\([^;]*/g;
  /** The contract's titles and messages are shown on screen. Its descriptions are for programmers. */
  const described = /summary: *"[^"]*"|\.describe\(\s*"[^"]*",?\s*\)/g;
  const isSaid = ({ path, text: withComments }: (typeof files)[number]) => {
    const text = withoutComments(withComments);
    if (path.startsWith("apps/web/src/")) return straight.test(text);
    if (path.startsWith("packages/contract/src/")) return straight.test(text.replaceAll(described, ""));
    return [...text.matchAll(said)].some(([call]) => straight.test(call));
  };
  expect(broken(isSaid, sources)).toEqual([]);
});

describe("the contract", () => {
  const allTests = tests.filter(({ path }) => path !== "house-rules.test.ts").map(({ text }) => text);

  test.each(Object.entries<Endpoint>(endpoints))("%s has a test that calls it", (name, { method, path }) => {
    const address = path.replaceAll(/\{\w+\}/g, "[^/\"'`]+").replaceAll("/", "\\/");
    const byPath = new RegExp(`["'\`]${method}["'\`],\\s*["'\`]${address}["'\`?]`);
    // An origin may precede the path. A fetch without a method is a GET.
    const byFetch = method === "GET" ? new RegExp(`fetch\\(\\s*["'\`][^"'\`]*${address}["'\`?]`) : byPath;
    const byName = new RegExp(`\\(\\s*(endpoints\\.)?${name}\\b\\s*[,)]`);
    expect(allTests.some((text) => [byPath, byFetch, byName].some((way) => way.test(text)))).toBe(true);
  });
});

describe("the documents", () => {
  const docs = readDocs();
  const readme = readFileSync("README.md", "utf8");

  test("paths they mention exist", () => {
    const missing = docs.flatMap((doc) => [
      ...citedPaths(doc.text)
        .filter((path) => !existsSync(path))
        .map((path) => `${doc.path}: ${path}`),
      ...relativeLinks(doc.text)
        .filter((link) => !existsSync(normalize(join(dirname(doc.path), link))))
        .map((link) => `${doc.path}: ${link}`),
    ]);
    expect(missing).toEqual([]);
  });

  test("the README lists the sandbox's numbers", () => {
    const rows = [...readme.matchAll(/^\| `(\+\d+)` *\| (.+?) *\|$/gm)].map(([, number, does]) => [number, does]);
    expect(rows).toEqual(Object.entries(callees).map(([number, callee]) => [number, callee.does]));
  });

  test("the README lists the server's settings", () => {
    const config = readFileSync("apps/server/src/config.ts", "utf8");
    const known = [...config.matchAll(/^ {2}([A-Z][A-Z_]+): /gm)].map(([, name]) => name);
    const told = [...readme.matchAll(/^\| `([A-Z][A-Z_]+)` *\|/gm)].map(([, name]) => name);
    expect(told.toSorted()).toEqual(known.toSorted());
    for (const [, name, value] of config.matchAll(/^ {2}([A-Z_]+):.*\.default\(("?[^")\]]+"?)\)/gm))
      expect(readme).toMatch(new RegExp(`\`${name}\` *\\| *\`${value?.replaceAll('"', "").replaceAll(".", "\\.")}\``));
  });

  test("the README names every bench, and every setting of an adapter", () => {
    const named = (file: { path: string; text: string }): string[] => [
      ...[...file.path.matchAll(/^bench\/[\w-]+(?=\/run\.ts$)/g)].map(([folder]) => folder),
      ...(/^(carriers|crms|payments)\/(?!sandbox)[\w-]+\/settings\.ts$/.test(file.path)
        ? [...file.text.matchAll(/^ {2}([A-Z][A-Z_]+): z/gm)].map(([, name]) => name ?? "")
        : []),
    ];
    expect(files.flatMap(named).filter((name) => !readme.includes(name))).toEqual([]);
  });

  test("npm run dev watches every folder whose code the server runs", () => {
    const watched = /(?<=const watching = .*)\[.*\]/s.exec(readFileSync("scripts/dev.ts", "utf8"))?.[0];
    const folders = ["apps/server/src", "packages", "carriers", "crms", "payments"];
    expect(folders.filter((folder) => !watched?.includes(`"${folder}"`))).toEqual([]);
  });

  test("docs/TRUNKS.md quotes the messages of Test connection exactly", () => {
    const says = sources
      .filter(({ path }) => /^carriers\/sip-trunk\/|\/check-carrier\.ts$/.test(path))
      .map(({ text }) => text)
      .join();
    const section = /## What Test connection says\n(.*?)\n## /s.exec(readFileSync("docs/TRUNKS.md", "utf8"))?.[1] ?? "";
    const firstCells = [...section.matchAll(/^\|([^|]*)\|/gm)].map(([, cell = ""]) => cell);
    const quoted = firstCells.flatMap((cell) => [...cell.matchAll(/_(.+?)_/g)].map(([, sentence = ""]) => sentence));
    expect(quoted.length).toBeGreaterThan(25);
    expect(quoted.filter((sentence) => !sentence.split("…").every((part) => says.includes(part.trim())))).toEqual([]);
  });

  test("every script they mention exists", () => {
    const { scripts } = JSON.parse(readFileSync("package.json", "utf8")) as { scripts: Record<string, string> };
    const told = docs.flatMap(({ text }) =>
      [...text.matchAll(/npm run ([\w-]+)(?! -w)\b(?!.*-w )/g)].map(([, name]) => name ?? ""),
    );
    expect(told.filter((name) => !(name in scripts))).toEqual([]);
  });
});

describe("docs/spec-coverage.md", () => {
  const rows = readSpecCoverage();

  test("has a row for every requirement, with a test", () => {
    expect(rows.length).toBeGreaterThan(200);
    expect(new Set(rows.map(({ section }) => section)).size).toBe(9);
    expect(rows.filter((row) => row.requirement === "" || row.tests.length === 0)).toEqual([]);
    const told = rows.map(({ section, requirement }) => `${section} ${requirement}`);
    expect(told.filter((row, index) => told.indexOf(row) !== index)).toEqual([]);
  });

  test("names tests that exist", () => {
    const titles = new Map(tests.map(({ path, text }) => [path, titlesIn(text).map(asTitlePattern)]));
    const unknown = namedTests(rows).filter(
      ({ file, name }) => !name.split(" > ").every((title) => titles.get(file)?.some((one) => one.test(title))),
    );
    expect(unknown).toEqual([]);
  });
});

/** A quoted title as a pattern of what Vitest prints: `%s` and `${value}` match anything. */
function asTitlePattern(quoted: string): RegExp {
  const text = quoted.slice(1, -1).replaceAll(/\\(.)/g, "$1");
  const parts = text.split(/%[sdijfoc]|\$\{[^}]*\}|\$[a-zA-Z]\w*/);
  return new RegExp(`^${parts.map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)).join(".*")}$`);
}

test("each planted break replaces text that occurs once in its file, and names existing tests", () => {
  const textOf = (path: string): string => (existsSync(path) ? readFileSync(path, "utf8") : "");
  const misplaced = breaks.filter(({ file, from }) => textOf(file).split(from).length !== 2);
  expect(misplaced.map(({ what }) => what)).toEqual([]);
  expect(breaks.flatMap((each) => each.tests).filter((path) => !existsSync(path))).toEqual([]);
});

test("the lock file contains no registry, and a version of every package", () => {
  const lock = JSON.parse(readFileSync("package-lock.json", "utf8")) as {
    packages: Record<string, { version?: string; resolved?: string; link?: boolean; integrity?: string }>;
  };
  const installed = Object.entries(lock.packages).filter(
    ([path, entry]) => path.includes("node_modules/") && !entry.link,
  );
  expect(installed.filter(([, entry]) => !entry.version || !entry.integrity || entry.resolved)).toEqual([]);
});
