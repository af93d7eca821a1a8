import type { FastifyInstance } from "fastify";
import type { RunningSandboxes } from "./start-sandbox-crms.ts";

/** Sandboxes only report changes to this server, whatever address was configured. */
export function sendSandboxWebhooks(app: FastifyInstance, sandboxes: RunningSandboxes, origin: string): void {
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
