import type { AdapterRequest, AdapterRoute } from "@leadline/adapter-kit/adapter-route";
import type { SandboxResponse, SandboxRequest } from "./exchange.ts";

/** The browser's part of a sandbox: the consent page and records' pages. Its API stays on loopback. */
export function browserRoutes(
  answerBrowser: (request: SandboxRequest) => SandboxResponse,
  paths: { authorise: string; records: string },
): AdapterRoute[] {
  const answer = ({ method, url, headers, body }: AdapterRequest) =>
    answerBrowser({ method, url, headers, body: body.toString() });
  return [
    { methods: ["GET", "POST"], path: paths.authorise, caller: "browser", answer },
    { methods: ["GET"], path: paths.records, caller: "browser", answer },
  ];
}
