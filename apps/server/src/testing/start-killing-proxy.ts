import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import type { VendorSandbox } from "@leadline/carrier-sandbox/vendor/vendor-sandbox";

/**
 * A vendor's HTTP API, in front of its sandbox. Once a request has made, removed or charged something there, `kill` ends the process
 * that sent it, which never reads the answer.
 */
export async function startKillingProxy(sandbox: VendorSandbox) {
  let kill: (() => Promise<void>) | null = null;
  const server = createServer((incoming, outgoing) => {
    void (async () => {
      const { method = "GET", url = "/", headers: given } = incoming;
      const headers = {
        authorization: given.authorization ?? "",
        ...(given["content-type"] !== undefined && { "content-type": given["content-type"] }),
      };
      const body = await text(incoming);
      const before = JSON.stringify(sandbox.counts());
      const answer = await fetch(new URL(url, sandbox.address), { method, headers, ...(body !== "" && { body }) });
      const answered = await answer.text();
      const hasChanged = answer.status === 201 || JSON.stringify(sandbox.counts()) !== before;
      if (hasChanged && kill) await kill();
      outgoing.writeHead(answer.status, { "content-type": "application/json" }).end(answered);
    })().catch(() => outgoing.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = addressOf(server.address());
  return {
    address: new URL(`http://127.0.0.1:${port}`),
    onChange(next: typeof kill): void {
      kill = next;
    },
    async close(): Promise<void> {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

function addressOf(address: string | AddressInfo | null): AddressInfo {
  if (typeof address === "object" && address !== null) return address;
  throw new Error("The proxy isn't listening.");
}
