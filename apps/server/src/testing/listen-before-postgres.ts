import type { Server } from "node:net";

/** Starts a proxy. Returns the database's address through it. */
export async function listenBeforePostgres(proxy: Server, databaseUrl: string): Promise<string> {
  const port = await new Promise<number>((resolve) => {
    proxy.listen(0, "127.0.0.1", () => {
      const address = proxy.address();
      resolve(typeof address === "object" && address !== null ? address.port : 0);
    });
  });
  const url = new URL(databaseUrl);
  url.hostname = "127.0.0.1";
  url.port = String(port);
  // Otherwise the Unix socket would bypass the proxy.
  url.search = "";
  return url.href;
}
