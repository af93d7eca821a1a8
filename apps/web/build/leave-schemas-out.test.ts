import { endpoints } from "@leadline/contract/endpoints";
import type { Endpoint } from "@leadline/contract/endpoint";
import { join } from "node:path";
import { build, type Plugin } from "vite";
import { expect, test } from "vitest";
import { leaveSchemasOut } from "./leave-schemas-out.ts";

/** The text of one module that says `source`, with all that it imports, as the browser gets it. */
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

const ofARequest = ({ method, path, access, urlEncoded, mayTakeMs, success: [status, content] }: Endpoint) => ({
  method,
  path,
  access,
  urlEncoded,
  mayTakeMs,
  status,
  content: typeof content === "string" ? content : null,
});

test("of every endpoint the browser has what a request reads, and no validator with it", async () => {
  const text = await built(`export { endpoints } from "@leadline/contract/endpoints";`);
  expect(text).not.toMatch(/ZodObject|invalid_type/);
  const { endpoints: light }: { endpoints: Record<string, Endpoint> } = await import(
    `data:text/javascript;base64,${Buffer.from(text).toString("base64")}`
  );
  const requests = (all: Record<string, Endpoint>) =>
    Object.entries(all).map(([name, endpoint]) => [name, ofARequest(endpoint)]);
  expect(requests(light)).toEqual(requests(endpoints));
});

test("a form's schema is whole", async () => {
  expect(await built(`export { LeadInput } from "@leadline/contract/leads";`)).toMatch(/invalid_type/);
});
