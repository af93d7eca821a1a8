import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { describe, expect, test } from "vitest";
import { codeFiles, importsOf } from "./scripts/read-repository.ts";

const files = codeFiles();

describe("imports go one way", () => {
  const may: [from: RegExp, never: RegExp][] = [
    [/^packages\/contract\//, /^(packages\/adapter-kit|carriers|crms|payments|apps)\/|^@leadline\/(?!contract)/],
    [/^packages\/adapter-kit\//, /^(carriers|crms|payments|apps)\/|^@leadline\/(carrier|crm|payment|server|web)/],
    [/^(carriers|crms|payments)\//, /^apps\/|^@leadline\/(server|web)/],
    [/^apps\/web\//, /^apps\/server\/|^@leadline\/server|^(fastify|kysely|pg)$/],
    [/^apps\/server\//, /^apps\/web\/|^@leadline\/web|^react/],
    [/^(bench|testing)\//, /^e2e\//],
  ];
  const edges = files.flatMap((file) => importsOf(file).map((to) => ({ from: file.path, to })));
  const forbidden = (never: (from: string, to: string) => boolean): string[] =>
    edges.filter(({ from, to }) => never(from, to)).map(({ from, to }) => `${from} → ${to}`);

  test("contract ← adapter-kit ← carriers ← apps; the web app never imports the server, and no bench an e2e test", () => {
    expect(may.flatMap(([from, never]) => forbidden((f, t) => from.test(f) && never.test(t)))).toEqual([]);
  });

  test("ui/ imports nothing from the app", () => {
    const ui = /^apps\/web\/src\/ui\//;
    expect(forbidden((f, t) => ui.test(f) && /^(apps|packages|@leadline)\//.test(t) && !ui.test(t))).toEqual([]);
  });

  test("a carrier never imports another carrier", () => {
    const adapter = (path: string) => /^(carriers|crms|payments)\/([^/]+)\//.exec(path)?.[2];
    expect(forbidden((f, t) => !!adapter(f) && !!adapter(t) && adapter(f) !== adapter(t))).toEqual([]);
  });

  test("SIP.js is imported by the trunk only", () => {
    expect(forbidden((f, t) => /^sip\.js\b/.test(t) && !f.startsWith("carriers/sip-trunk/"))).toEqual([]);
  });

  const feature = (path: string) => /^apps\/server\/src\/features\/([^/]+)\//.exec(path)?.[1];

  test("a feature never imports another feature's table file", () => {
    expect(forbidden((f, t) => t.endsWith(".table.ts") && !!feature(f) && feature(f) !== feature(t))).toEqual([]);
  });

  const codeEdges = edges.filter(({ from }) => !/\.test\.tsx?$/.test(from));
  const importEachOther = (place: (path: string) => string | undefined): string[] => {
    const pairs = new Set(codeEdges.map(({ from, to }) => `${place(from)} → ${place(to)}`));
    const isBoth = (a = "", b = "") => a < b && !`${a}${b}`.includes("undefined") && pairs.has(`${b} → ${a}`);
    return [...pairs].filter((pair) => isBoth(...pair.split(" → "))).toSorted();
  };

  test("at most these pairs of features import each other", () => {
    expect(importEachOther(feature)).toEqual(["organisations → users", "sessions → users"]);
  });

  test("no two subfolders of a feature, or of the web app's phone, import each other", () => {
    const subfolder = /^apps\/(?:server\/src\/features\/[^/]+|web\/src\/phone)\/[^/]+(?=\/)/;
    const both = importEachOther((path) => subfolder.exec(path)?.[0]).map((pair) => pair.split(" → "));
    expect(both.filter(([a = "", b = ""]) => dirname(a) === dirname(b))).toEqual([]);
  });

  test("features have no circular imports, apart from those pairs", () => {
    const imports = new Map<string, Set<string>>();
    for (const { from, to } of codeEdges) {
      const [a, b] = [feature(from), feature(to)];
      if (a && b && a !== b) imports.set(a, (imports.get(a) ?? new Set()).add(b));
    }
    const reaches = (from: string, seen = new Set<string>()): Set<string> => {
      for (const to of imports.get(from) ?? []) if (!seen.has(to)) reaches(to, seen.add(to));
      return seen;
    };
    const circular = [...imports.keys()].filter((name) => reaches(name).has(name)).toSorted();
    expect(circular).toEqual(["organisations", "sessions", "users"]);
  });

  test("routes call verbs, and a table file calls neither", () => {
    const table = /\.table\.ts$/;
    const above = /\.routes\.ts$|\/src\/http\//;
    expect(forbidden((f, t) => f.endsWith(".routes.ts") && table.test(t))).toEqual([]);
    expect(forbidden((f, t) => table.test(f) && above.test(t))).toEqual([]);
  });

  test("every relative import names an existing file, with its extension", () => {
    const missing = forbidden(
      (_, to) =>
        /^(apps|packages|carriers|e2e|bench|testing|scripts)\//.test(to) && !existsSync(to.split("?")[0] ?? ""),
    );
    expect(missing).toEqual([]);
  });
});
