import { readFile } from "node:fs/promises";
import { join } from "node:path";
import fastifyStatic from "@fastify/static";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { sendProblem } from "./answer-problems.ts";
import { Problem } from "./problem.ts";

/** The built web app, and index.html for every address that is the app's own business rather than a file's or the API's. */
export async function serveWebApp(app: FastifyInstance, root: string | null): Promise<void> {
  if (root !== null) {
    // The files' reader refuses a zero byte before it comes to what is missing.
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
        // Vite puts a hash of the content into the name of everything in assets/.
        const immutable = path.includes("/assets/");
        response.header("cache-control", immutable ? "public, max-age=31536000, immutable" : "no-cache");
      },
    });
  }
  app.setNotFoundHandler((request, reply) => {
    if (root !== null && isPage(request)) {
      // The app tells people that there is no such page; no address of ours has other characters, so machines are told too.
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
 * Answers an address that cannot be decoded (then no route, hook or file is reached): the app's page where a browser asked
 * for one, so that it tells people as of any other unknown address.
 */
export async function refuseAddress(request: FastifyRequest, reply: FastifyReply, root: string | null): Promise<void> {
  const page = root !== null && isPage(request) ? await readFile(join(root, "index.html")).catch(() => null) : null;
  // Not awaited: a browser that has gone is no failure of ours.
  if (page === null) void sendProblem(reply, new Problem("malformed-request", "The address isn’t valid."));
  else void reply.status(400).header("cache-control", "no-store").type("text/html; charset=utf-8").send(page);
}
