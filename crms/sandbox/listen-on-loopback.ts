import { createServer, type IncomingMessage } from "node:http";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { page, type SandboxResponse, type SandboxRequest } from "./exchange.ts";
import type { Fault, Faults } from "./faults.ts";

interface LoopbackServer {
  faults: Faults;
  answer(request: SandboxRequest): SandboxResponse;
  /** The vendor's response for a fault with a status. */
  fail(fault: Fault & { status: number }): SandboxResponse;
}

/** A server on its own loopback port that simulates the requested faults. */
export async function listenOnLoopback({ faults, answer, fail }: LoopbackServer): Promise<{
  address: URL;
  close(): Promise<void>;
}> {
  async function answerOrFail(incoming: IncomingMessage): Promise<SandboxResponse | null> {
    const { method = "GET", url = "/", headers } = incoming;
    const request: SandboxRequest = { method, url, headers, body: await text(incoming) };
    const fault = faults.take(url.split("?", 1)[0] ?? "");
    if (fault === null) return answer(request);
    if (fault.drop) return null;
    if (fault.carriedOutAfterMs !== undefined) {
      setTimeout(() => {
        answer(request);
        fault.carriedOut?.();
      }, fault.carriedOutAfterMs).unref();
      return null;
    }
    const failed = failOf(fault);
    const answered =
      failed === null ? answer(request) : { ...failed, headers: { ...failed.headers, ...fault.headers } };
    fault.carriedOut?.();
    if (fault.delayMs !== undefined) await sleep(fault.delayMs, undefined, { ref: false });
    if (fault.cutsAnswer) return { ...answered, body: answered.body.slice(0, answered.body.length / 2) };
    return fault.loseAnswer ? null : answered;
  }

  function failOf(fault: Fault): SandboxResponse | null {
    if (fault.page !== undefined) {
      const html = page(fault.status ?? 200, fault.page);
      return fault.page.startsWith("<") ? html : { ...html, headers: { "content-type": "text/plain" } };
    }
    return fault.status === undefined ? null : fail({ ...fault, status: fault.status });
  }

  const server = createServer((incoming, outgoing) => {
    answerOrFail(incoming).then(
      (given) =>
        given === null ? outgoing.destroy() : outgoing.writeHead(given.status, given.headers).end(encode(given)),
      () => outgoing.writeHead(500).end(),
    );
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

const encode = ({ headers, body }: SandboxResponse): string | Buffer =>
  headers["content-encoding"] === "gzip" ? gzipSync(body) : body;
