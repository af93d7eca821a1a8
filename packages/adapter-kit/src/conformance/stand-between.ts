import { createServer } from "node:http";
import { text } from "node:stream/consumers";

interface VendorAnswer {
  status: number;
  type: string;
  body: string;
}

/** In front of a vendor's HTTP API, which gets a request each time that it is sent on. */
export async function standBetween(
  target: URL,
  answer: (request: { method: string; send: () => Promise<VendorAnswer> }) => Promise<VendorAnswer>,
) {
  const server = createServer((incoming, outgoing) => {
    void (async () => {
      const { method = "GET", url = "/", headers: given } = incoming;
      const headers = {
        authorization: given.authorization ?? "",
        ...(given["content-type"] !== undefined && { "content-type": given["content-type"] }),
      };
      const sent = await text(incoming);
      const send = async (): Promise<VendorAnswer> => {
        const response = await fetch(new URL(url, target), { method, headers, ...(sent !== "" && { body: sent }) });
        return { status: response.status, type: "application/json", body: await response.text() };
      };
      const { status, type, body } = await answer({ method, send });
      outgoing.writeHead(status, { "content-type": type }).end(body);
    })().catch(() => outgoing.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const listening = server.address();
  const port = typeof listening === "object" ? listening?.port : undefined;
  return {
    address: new URL(`http://127.0.0.1:${port}`),
    async close(): Promise<void> {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
