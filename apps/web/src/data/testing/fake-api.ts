import { organisationHeader } from "@leadline/contract/organisation-header";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { onTestFinished } from "vitest";
import { createSession } from "../session.ts";

interface SeenRequest {
  method: string;
  /** With the query. */
  path: string;
  authorization: string | undefined;
  /** The organisation that the request names. */
  organisation: string | undefined;
  lastEventId: string | undefined;
  body: string;
}
type Answer = (request: SeenRequest, response: ServerResponse, incoming: IncomingMessage) => void | Promise<void>;

/** A real HTTP server on a free port that ends with the test, and the requests it received. */
export async function startFakeApi(answer: Answer) {
  const requests: SeenRequest[] = [];
  const server = createServer((incoming, response) => {
    void (async () => {
      let body = "";
      for await (const chunk of incoming) body += String(chunk);
      const seen: SeenRequest = {
        method: incoming.method ?? "",
        path: incoming.url ?? "",
        authorization: incoming.headers.authorization,
        organisation: incoming.headers[organisationHeader]?.toString(),
        lastEventId: incoming.headers["last-event-id"]?.toString(),
        body,
      };
      requests.push(seen);
      await answer(seen, response, incoming);
    })();
  });
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(0, "127.0.0.1", resolve);
  await promise;
  const stop = () => {
    server.closeAllConnections();
    server.close();
  };
  onTestFinished(stop);
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The server has no port.");
  return { baseUrl: `http://127.0.0.1:${address.port}/api`, requests, stop };
}

export function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
) {
  response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
}

export function sendProblem(
  response: ServerResponse,
  status: number,
  code: string,
  more: Record<string, unknown> = {},
) {
  sendJson(response, status, { type: `/api/docs#${code}`, title: code, status, detail: `Why ${code}.`, ...more });
}

/** What all tabs of one browser share. */
export function createBrowserStorage() {
  const values = new Map<string, string>();
  return {
    getItem: (key: string) => values.get(key) ?? null,
    setItem: (key: string, value: string) => void values.set(key, value),
    removeItem: (key: string) => void values.delete(key),
  };
}

export function signedInSession(storage = createBrowserStorage()) {
  const session = createSession(storage);
  session.store({ accessToken: "access-0", refreshToken: "refresh-0" });
  return session;
}
