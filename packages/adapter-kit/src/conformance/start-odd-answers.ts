import { createServer } from "node:http";
import { text } from "node:stream/consumers";

/** What becomes of a vendor's response on its way. */
export const oddities = {
  "a web page": () => "<!doctype html><title>Sign in to the guest network</title>",
  "half of the response": (response: string) => response.slice(0, Math.max(1, response.length / 2)),
};

/** In front of a vendor's HTTP API, which gets every request. After the first `good` of them, the responses are odd. */
export async function startOddAnswers(
  target: URL,
  { oddity, good }: { oddity: (response: string) => string; good: number },
) {
  let seen = 0;
  const server = createServer((incoming, outgoing) => {
    const isOdd = ++seen > good;
    void (async () => {
      const { method = "GET", url = "/", headers: given } = incoming;
      const headers = {
        authorization: given.authorization ?? "",
        ...(given["content-type"] !== undefined && { "content-type": given["content-type"] }),
      };
      const body = await text(incoming);
      const response = await fetch(new URL(url, target), { method, headers, ...(body !== "" && { body }) });
      const real = await response.text();
      if (isOdd) outgoing.writeHead(200, { "content-type": "text/html" }).end(oddity(real));
      else outgoing.writeHead(response.status, { "content-type": "application/json" }).end(real);
    })().catch(() => outgoing.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const listening = server.address();
  const port = typeof listening === "object" ? listening?.port : undefined;
  return {
    address: new URL(`http://127.0.0.1:${port}`),
    wasOdd: (): boolean => seen > good,
    async close(): Promise<void> {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
