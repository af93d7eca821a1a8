import type { SandboxCrm } from "@leadline/crm-sandbox/sandbox-crm";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { addressOf } from "./address-of.ts";

/**
 * The sandbox CRM's consent page and the pages of its records, and nothing else of it, below the app's own address: the CRM itself listens on loopback,
 * where a browser elsewhere, or behind a proxy, would not reach it. `countRequest` refuses an address that asks too often.
 */
export function serveSandboxCrm(
  app: FastifyInstance,
  sandbox: SandboxCrm,
  countRequest: (ip: string) => Promise<void>,
): void {
  void app.register(async (scope) => {
    // The CRM reads the form itself.
    scope.removeContentTypeParser("application/x-www-form-urlencoded");
    scope.addContentTypeParser("application/x-www-form-urlencoded", { parseAs: "string" }, (_, body, done) =>
      done(null, body),
    );
    const handler = async (request: FastifyRequest, reply: FastifyReply) => {
      await countRequest(addressOf(request));
      const { method, headers } = request;
      const url = request.url.slice(sandbox.browserPath.length);
      const body = typeof request.body === "string" ? request.body : "";
      const answer = sandbox.answerBrowser({ method, url, headers: { ...headers, host: request.host }, body });
      return reply.status(answer.status).headers(answer.headers).send(answer.body);
    };
    scope.route({ method: ["GET", "POST"], url: sandbox.browserPath + sandbox.authorisePath, handler });
    if (sandbox.recordPath !== null) scope.get(sandbox.browserPath + sandbox.recordPath, handler);
  });
}
