import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { Endpoint } from "@leadline/contract/endpoint";
import { type ProblemCode, problemTypes } from "@leadline/contract/problem";
import type { FastifyInstance } from "fastify";
import { docsStyle } from "./docs-style.ts";
import { problemsOf, schemaOf, toOpenApi } from "./openapi.ts";

/**
 * Serves /api/openapi.json, and a page generated from the same entries. It has no script, so it works under the app's
 * own content security policy.
 */
export function serveDocs(
  app: FastifyInstance,
  endpoints: Record<string, Endpoint>,
  options: { publicUrl: URL | null; webRoot: string | null },
): void {
  // Generated on the first request, so that startup doesn't pay for it.
  let document: string | undefined;
  let page: string | undefined;
  app.get("/api/openapi.json", async (_request, reply) => {
    document ??= JSON.stringify(toOpenApi(endpoints, options.publicUrl));
    return reply.type("application/json; charset=utf-8").send(document);
  });
  app.get("/api/docs", async (_request, reply) => {
    page ??= renderPage(endpoints, fontFace(options.webRoot));
    return reply.type("text/html; charset=utf-8").send(page);
  });
}

/** The web app's own typeface, whose file name contains a build hash; empty if only the API is served. */
function fontFace(webRoot: string | null): string {
  const assets = webRoot === null ? null : join(webRoot, "assets");
  if (assets === null || !existsSync(assets)) return "";
  const file = readdirSync(assets).find((name) => /^figtree-latin-wght-normal-.*\.woff2$/.test(name));
  if (file === undefined) return "";
  return `@font-face{font-family:"Figtree Variable";font-weight:300 900;font-display:swap;src:url(/assets/${file}) format("woff2")}`;
}

function renderPage(endpoints: Record<string, Endpoint>, font: string): string {
  const entries = Object.entries(endpoints);
  const links = entries.map(
    ([name, { method, path }]) => `<li><a href="#${name}"><b>${method}</b> ${escape(path)}</a></li>`,
  );
  const codes = Object.keys(problemTypes).filter((code): code is ProblemCode => code in problemTypes);
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Leadline API</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><style>${font}${docsStyle}</style></head><body>
<nav aria-label="Endpoints"><h2>Leadline API</h2><ul>${links.join("")}<li><a href="#problems">Problems</a></li></ul></nav>
<main><h1>Leadline API</h1>
<p>Everything is JSON below <code>/api</code>. Sign in with <a href="#login">login</a> and send the token as
<code>Authorization: Bearer …</code>. The same, for machines: <a href="/api/openapi.json">openapi.json</a> (OpenAPI 3.1).</p>
${entries.map(([name, endpoint]) => renderEndpoint(name, endpoint)).join("\n")}
<h2 id="problems">Problems</h2><p>Failures are <code>application/problem+json</code> (RFC 9457): detail, title, status, type.</p>
<dl>${codes.map(renderProblem).join("")}</dl></main></body></html>`;
}

const renderProblem = (code: ProblemCode): string =>
  `<dt id="${code}"><code>${code}</code> <span>${problemTypes[code].status}</span></dt><dd>${escape(problemTypes[code].title)}</dd>`;

function renderEndpoint(name: string, endpoint: Endpoint): string {
  const [status, answer] = endpoint.success;
  const shape =
    answer === null ? "no body" : answer === "events" ? "text/event-stream" : answer === "file" ? "a file" : null;
  const blocks = [
    endpoint.params && renderSchema("Path", schemaOf(endpoint.params, "input")),
    endpoint.query && renderSchema("Query", schemaOf(endpoint.query, "input")),
    endpoint.headers && renderSchema("Headers", schemaOf(endpoint.headers, "input")),
    endpoint.files &&
      `<p>Takes multipart/form-data with up to ${endpoint.files.most} files, each in a part named <code>file[]</code>.</p>`,
    endpoint.body && renderSchema(endpoint.files ? "Fields" : "Body", schemaOf(endpoint.body, "input")),
    shape === null &&
      answer !== null &&
      answer !== "events" &&
      answer !== "file" &&
      renderSchema(`Answers ${status}`, schemaOf(answer, "output")),
  ].filter(Boolean);
  const problems = problemsOf(endpoint).map((code) => `<a href="#${code}">${code}</a>`);
  return `<section id="${name}"><h3><b class="${endpoint.method.toLowerCase()}">${endpoint.method}</b> <code>/api${escape(endpoint.path)}</code></h3>
<p>${escape(endpoint.summary)}. <span class="access">${endpoint.access}</span></p>
${blocks.join("")}${shape === null ? "" : `<p>Answers ${status}, ${shape}.</p>`}
<p class="problems">Problems: ${problems.join(", ")}</p></section>`;
}

const renderSchema = (title: string, schema: Record<string, unknown>): string =>
  `<details><summary>${title}</summary><pre tabindex="0">${escape(JSON.stringify(schema, null, 2))}</pre></details>`;

const escape = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
