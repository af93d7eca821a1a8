import type { FastifyInstance } from "fastify";
import { type Config, StartRefused } from "../config.ts";

/** Listens and returns the address for browsers. An unavailable port or host stops the start with a sentence. */
export async function listen(app: FastifyInstance, config: Config): Promise<string> {
  try {
    await app.listen({ port: config.port, host: config.host });
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : "";
    if (code === "EADDRINUSE")
      throw new StartRefused(`PORT ${config.port} is taken by another program. Set another PORT.`);
    if (code === "EACCES")
      throw new StartRefused(`PORT ${config.port} needs more rights than this user has. Set another PORT.`);
    if (code === "EADDRNOTAVAIL" || code === "ENOTFOUND")
      throw new StartRefused(`HOST ${config.host} isn't an address of this machine.`);
    throw error;
  }
  const bound = app.server.address();
  const port = typeof bound === "object" && bound !== null ? bound.port : config.port;
  const wildcard = /^(0\.0\.0\.0|::|127\.0\.0\.1|::1|localhost)$/.test(config.host);
  return config.publicUrl?.origin ?? `http://${wildcard ? "localhost" : config.host}:${port}`;
}
