import { createServer } from "node:http";
import { text } from "node:stream/consumers";

export interface VendorRequest {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: Record<string, string | string[] | undefined>;
  body: string;
}
/** body: JSON. Null for a 204. */
export interface VendorResponse {
  status: number;
  body: object | null;
}

/** Serves the vendor's HTTP API on its own loopback port. */
export async function serveVendor(answer: (request: VendorRequest) => VendorResponse): Promise<{
  address: URL;
  close(): Promise<void>;
}> {
  const server = createServer((incoming, outgoing) => {
    const { method = "GET", url = "/", headers } = incoming;
    text(incoming)
      .then((body) => {
        const { pathname: path, searchParams: query } = new URL(url, "http://sandbox");
        const given = answer({ method, path, query, headers, body });
        const type = { "content-type": "application/json" };
        return outgoing.writeHead(given.status, type).end(given.body === null ? "" : JSON.stringify(given.body));
      })
      // An error here, such as a body that isn't JSON, must not end the process.
      .catch(() => outgoing.headersSent || outgoing.writeHead(500).end());
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", resolve);
  });
  const listening = server.address();
  const port = typeof listening === "object" ? listening?.port : undefined;
  return {
    address: new URL(`http://127.0.0.1:${port}`),
    async close() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
