import fastifyStatic from "@fastify/static";
import type { FastifyInstance } from "fastify";
import { sendProblem } from "./answer-problems.ts";
import { Problem } from "./problem.ts";

/** The built web app, and index.html for every address that is the app's own business rather than a file's or the API's. */
export async function serveWebApp(app: FastifyInstance, root: string | null): Promise<void> {
  if (root !== null) {
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
    const path = request.url.split("?", 1)[0] ?? "/";
    const isPage = /^(GET|HEAD)$/.test(request.method) && !/^\/api(\/|$)/.test(path) && !/\.\w+$/.test(path);
    if (root !== null && isPage) {
      // The app tells people that there is no such page; no address of ours has other characters, so machines are told too.
      if (!/^[\w/.-]*$/.test(path)) void reply.status(404);
      return reply.sendFile("index.html");
    }
    return sendProblem(reply, new Problem("not-found", "There is nothing at this address."));
  });
}
