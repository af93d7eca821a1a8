import { endpoints } from "@leadline/contract/endpoints";
import type { Endpoint } from "@leadline/contract/endpoint";
import { join } from "node:path";
import { build, type Plugin } from "vite";
import { expect, test } from "vitest";
import { codeFiles, withoutComments } from "../../../scripts/read-repository.ts";
import { leaveSchemasOut } from "./leave-schemas-out.ts";

type Request = Pick<Endpoint, "method" | "path" | "access" | "urlEncoded" | "mayTakeMs"> &
  Partial<Pick<Endpoint, "success">>;

/** The bundled text of a module with this source and all its imports, as sent to the browser. */
async function built(source: string): Promise<string> {
  const entry = join(import.meta.dirname, "entry.js");
  const output = await build({
    configFile: false,
    logLevel: "error",
    build: { write: false, lib: { entry, formats: ["es"] } },
    plugins: [leaveSchemasOut, entryOf(entry, source)],
  });
  const [first] = Array.isArray(output) ? output : [output];
  if (first === undefined || !("output" in first)) throw new Error("nothing was built");
  return first.output.flatMap((file) => (file.type === "chunk" ? [file.code] : [])).join("\n");
}

const entryOf = (entry: string, source: string): Plugin => ({
  name: "entry",
  enforce: "pre",
  resolveId: (id) => (id === entry ? id : null),
  load: (id) => (id === entry ? source : null),
});

const ofARequest = ({ method, path, access, urlEncoded, mayTakeMs, success }: Request) => ({
  method,
  path,
  access,
  urlEncoded,
  mayTakeMs,
  content: typeof success?.[1] === "string" ? success[1] : null,
});

test("the browser gets what a request needs of every endpoint, and no validator", async () => {
  const text = await built(`export { endpoints } from "@leadline/contract/endpoints";`);
  expect(text).not.toMatch(/ZodObject|invalid_type/);
  const { endpoints: light }: { endpoints: Record<string, Request> } = await import(
    `data:text/javascript;base64,${Buffer.from(text).toString("base64")}`
  );
  const requests = (all: Record<string, Request>) =>
    Object.entries(all).map(([name, endpoint]) => [name, ofARequest(endpoint)]);
  expect(requests(light)).toEqual(requests(endpoints));
});

test("a form's schema is included whole", async () => {
  expect(await built(`export { LeadInput } from "@leadline/contract/leads";`)).toMatch(/invalid_type/);
});

test("no page reads a schema from an endpoint, where the build leaves it out", () => {
  const names = Object.keys(endpoints).join("|");
  const reads = new RegExp(`(?<!typeof )\\b(${names})\\.(body|query|params|success|problems)\\b`);
  const pages = codeFiles().filter(({ path }) => /^apps\/web\/src\/.*(?<!\.test)\.tsx?$/.test(path));
  expect(pages.length).toBeGreaterThan(300);
  expect(pages.flatMap(({ path, text }) => (reads.test(withoutComments(text)) ? [path] : []))).toEqual([]);
});
