import type { SandboxCrm } from "@leadline/crm-sandbox/sandbox-crm";
import type { FastifyInstance } from "fastify";

/** Sandboxes only report changes to this server, whatever address was configured. */
export function sendSandboxWebhooks(
  app: FastifyInstance,
  sandboxes: ReadonlyMap<string, SandboxCrm>,
  origin: string,
): void {
  for (const [service, sandbox] of sandboxes)
    sandbox.sendWebhooks({
      url: new URL(`/api/v1/crm-webhooks/${service}`, origin),
      async send({ method, url, headers, body }) {
        const answer = await app.inject({
          method,
          url: url.pathname + url.search,
          headers: { ...headers, host: url.host },
          payload: body,
        });
        return answer.statusCode;
      },
    });
}
