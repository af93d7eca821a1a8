import { createServer, type IncomingMessage } from "node:http";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import type { CrmSandbox } from "@leadline/adapter-kit/crm";
import { apiError, json, type SandboxAnswer, type SandboxRequest } from "./exchange.ts";
import { createFaults, type Faults } from "./faults.ts";
import { createOAuth } from "./oauth.ts";
import { createRest } from "./rest.ts";
import { openStore } from "./store.ts";

export interface SandboxCrm extends CrmSandbox {
  /** The consent page and its answer alone: what a browser may reach below the app's own address. */
  answerBrowser(request: SandboxRequest): SandboxAnswer;
  /** As one of the CRM's own people would: REST without a token. */
  ask(request: { method: string; path: string; body?: object }): SandboxAnswer;
  leadCount(): number;
  faults: Faults;
  expireAccess(): void;
  endAllGrants(): void;
  close(): Promise<void>;
}
export interface SandboxCrmOptions {
  /** Where it keeps consents and changes; null forgets them. */
  file: string | null;
  /** The address people type, where it differs from the one the server sees. */
  publicUrl: URL | null;
}

const authorisePath = "/services/oauth2/authorize";

/** A small whole CRM on loopback, on a port of its own. What it speaks, and how faithfully: README.md. */
export async function startSandboxCrm({ file, publicUrl }: SandboxCrmOptions): Promise<SandboxCrm> {
  const store = openStore(file);
  const domain = "sandbox.leadline.test";
  const clientId = "leadline-on-this-machine";
  const faults = createFaults();
  const oauth = createOAuth({
    store,
    clientId,
    domain,
    allowsCallback: (callback, { headers }) => callback.host === headers["host"] || callback.host === publicUrl?.host,
  });
  const rest = createRest(store);

  function answerBrowser(request: SandboxRequest): SandboxAnswer {
    if (pathOf(request) !== authorisePath) return apiError(404, "NOT_FOUND", "The requested resource does not exist");
    return request.method === "POST" ? oauth.decide(request) : oauth.authorise(request);
  }

  function answerServer(request: SandboxRequest): SandboxAnswer {
    const path = pathOf(request);
    if (path === authorisePath) return answerBrowser(request);
    if (path === "/services/oauth2/token" && request.method === "POST") return oauth.token(request);
    if (path === "/services/oauth2/revoke") return oauth.revoke(request);
    if (/^\/services\/data\/?$/.test(path))
      return json(200, [{ label: "Sandbox", url: "/services/data/v62.0", version: "62.0" }]);
    const token = /^Bearer (\S+)$/.exec(String(request.headers["authorization"] ?? ""))?.[1];
    if (token === undefined || !oauth.accepts(token))
      return apiError(401, "INVALID_SESSION_ID", "Session expired or invalid");
    return rest(request);
  }

  async function answer(incoming: IncomingMessage): Promise<SandboxAnswer> {
    const { method = "GET", url = "/", headers } = incoming;
    const request: SandboxRequest = { method, url, headers, body: await text(incoming) };
    const fault = faults.take(pathOf(request));
    if (fault?.delayMs !== undefined) await sleep(fault.delayMs, undefined, { ref: false });
    if (fault?.status === undefined) return answerServer(request);
    const { status, errorCode = "SERVER_UNAVAILABLE", headers: more = {} } = fault;
    const failed = apiError(status, errorCode, "The sandbox was told to fail");
    return { ...failed, headers: { ...failed.headers, ...more } };
  }

  const server = createServer((incoming, outgoing) => {
    answer(incoming).then(
      ({ status, headers, body }) => outgoing.writeHead(status, headers).end(body),
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
    domain,
    clientId,
    address: new URL(`http://127.0.0.1:${port}`),
    browserPath: "/sandbox-crm",
    answerBrowser,
    ask: ({ method, path, body }) => rest({ method, url: path, headers: {}, body: JSON.stringify(body ?? null) }),
    leadCount: () => store.state.leads.length,
    faults,
    expireAccess: oauth.expireAccess,
    endAllGrants: oauth.endAllGrants,
    async close() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

const pathOf = ({ url }: SandboxRequest): string => url.split("?", 1)[0] ?? "";
