import { readFile } from "node:fs/promises";
import { join } from "node:path";
import fastifyStatic from "@fastify/static";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { sendProblem } from "./answer-problems.ts";
import { Problem } from "./problem.ts";

/** Serves the built web app, and index.html for every address that is neither a file nor part of the API. */
export async function serveWebApp(app: FastifyInstance, root: string | null): Promise<void> {
  if (root !== null) {
    // The static file plugin rejects a zero byte before it checks for existence.
    app.addHook("onRequest", async (request, reply) => {
      if (!pathOf(request).includes("%00")) return;
      await refuseAddress(request, reply, root);
      return reply;
    });
    await app.register(fastifyStatic, {
      root,
      cacheControl: false,
      preCompressed: true,
      dotfiles: "ignore",
      setHeaders: (response, path) => {
        // Vite puts a content hash into the name of every file in assets/.
        const immutable = path.includes("/assets/");
        response.header("cache-control", immutable ? "public, max-age=31536000, immutable" : "no-cache");
      },
    });
  }
  app.setNotFoundHandler((request, reply) => {
    if (root !== null && isPage(request)) {
      // The app shows its "not found" page. None of our addresses contains other characters, so the status is 404 as
      // well.
      if (!/^[\w/.-]*$/.test(pathOf(request))) void reply.status(404);
      return reply.sendFile("index.html");
    }
    return sendProblem(reply, new Problem("not-found", "There is nothing at this address."));
  });
}

const pathOf = ({ url }: FastifyRequest): string => url.split("?", 1)[0] ?? "/";

function isPage(request: FastifyRequest): boolean {
  const path = pathOf(request);
  return /^(GET|HEAD)$/.test(request.method) && !/^\/api(\/|$)/.test(path) && !/\.\w+$/.test(path);
}

/**
 * Answers an address that can't be decoded (no route, hook or file is reached): with the app's page if a browser asked
 * for one, so that it shows the usual "not found" page.
 */
export async function refuseAddress(request: FastifyRequest, reply: FastifyReply, root: string | null): Promise<void> {
  const page = root !== null && isPage(request) ? await readFile(join(root, "index.html")).catch(() => null) : null;
  // Not awaited: a disconnected browser isn't our error.
  if (page === null) void sendProblem(reply, new Problem("malformed-request", "The address isn’t valid."));
  else void reply.status(400).header("cache-control", "no-store").type("text/html; charset=utf-8").send(page);
}
