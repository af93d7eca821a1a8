import type { AdapterRoute } from "@leadline/adapter-kit/adapter-route";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { addressOf } from "./address-of.ts";

/** The routes of one adapter, below a path of its own. */
export interface AdapterRoutes {
  prefix: string;
  routes: readonly AdapterRoute[];
}

/** Vendors send many events per request. */
const largestBody = 1024 * 1024;

export function serveAdapterRoutes(
  app: FastifyInstance,
  adapters: readonly AdapterRoutes[],
  options: {
    publicUrl: URL | null;
    /** Refuses an address that requests too many pages. */
    countPage: (ip: string) => Promise<void>;
  },
): void {
  const { publicUrl, countPage } = options;
  void app.register(async (scope) => {
    // An adapter gets the raw bytes, whatever the content type.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", { parseAs: "buffer", bodyLimit: largestBody }, (_, body, done) => done(null, body));
    for (const { prefix, routes } of adapters)
      for (const { methods, path, caller, answer } of routes) {
        const handler = async (request: FastifyRequest, reply: FastifyReply) => {
          if (caller === "browser") await countPage(addressOf(request));
          const { status, headers, body } = await answer({
            method: request.method === "POST" ? "POST" : "GET",
            url: request.url.slice(prefix.length),
            address: `${publicUrl?.origin ?? `${request.protocol}://${request.host}`}${request.url}`,
            headers: { ...request.headers, host: request.host },
            body: Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0),
          });
          return reply.status(status).headers(headers).send(body);
        };
        scope.route({ method: [...methods], url: prefix + path, bodyLimit: largestBody, handler });
      }
  });
}
