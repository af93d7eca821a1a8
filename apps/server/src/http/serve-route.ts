import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { type AuditContext, auditing } from "../db/audit-context.ts";
import { addressOf, siteOf } from "./address-of.ts";
import { Problem } from "./problem.ts";
import { type Authenticate, checkAccess } from "./check-access.ts";
import { readInput } from "./read-input.ts";
import { announcedBytes, receiveFiles, refuseOtherThan } from "./receive-files.ts";
import type { Identity, ReceivedFile, Route } from "./route.ts";
import { sendFile } from "./send-file.ts";
import type { countUploadsInProgress } from "./uploads-in-progress.ts";

export interface ServeOptions {
  authenticate: Authenticate;
  uploads: { folder: string; inProgress: ReturnType<typeof countUploadsInProgress> };
  /** For tests: fails if a response doesn't match its schema. */
  checkAnswers: boolean;
}

declare module "fastify" {
  interface FastifyContextConfig {
    /** The body stays a Buffer, unparsed. */
    keepsBytes?: boolean;
  }
}

const subjects = new WeakMap<FastifyRequest, string>();

/** Sets the user whom a public request turned out to be about, for its audit line. */
export function noteAuditedUser(request: FastifyRequest, userId: string): void {
  subjects.set(request, userId);
}

export function serveRoute(app: FastifyInstance, route: Route, options: ServeOptions): void {
  const { endpoint } = route;
  const [status, schema] = endpoint.success;
  const handle = acceptingContext(route.handle);
  const callers = new WeakMap<FastifyRequest, Identity>();
  app.route({
    method: endpoint.method,
    url: `/api${endpoint.path.replaceAll(/\{(\w+)\}/g, ":$1")}`,
    config: { keepsBytes: endpoint.bytes === true },
    // Checked before the body is read: an unauthorised megabyte isn't worth parsing.
    onRequest: async (request) => {
      const caller = await checkAccess(endpoint.access, request, options.authenticate);
      if (caller !== null) callers.set(request, caller);
      if (endpoint.bytes !== true)
        refuseOtherThan(endpoint.files ? "multipart" : endpoint.urlEncoded ? "urlEncoded" : "json", request);
    },
    handler: async (request, reply) => {
      const caller = callers.get(request) ?? null;
      const gone = signalWhenGone(reply);
      const { files: rules } = endpoint;
      if (!rules) return answerWith(request, reply, { caller, gone });
      const announced = announcedBytes(request, rules);
      const address = addressOf(request);
      const upload = options.uploads.inProgress.begin({
        userId: caller?.userId ?? address,
        site: siteOf(address),
        giveWay: () => request.raw.destroy(),
      });
      try {
        if (caller !== null && announced !== null) await route.beforeFiles?.(caller, announced);
        const files = await receiveFiles(request, { rules, folder: options.uploads.folder });
        upload.received();
        return await answerWith(request, reply, { caller, gone, files });
      } finally {
        upload.end();
      }
    },
  });

  async function answerWith(
    request: FastifyRequest,
    reply: FastifyReply,
    { caller, gone, files }: Pick<AnyContext, "caller" | "gone"> & { files?: ReceivedFile[] },
  ) {
    const input = await readInput(route, request, caller);
    const context = { ...input, files, caller, gone, request, reply };
    const { audit } = endpoint;
    const answer = await (audit === null
      ? handle(context)
      : auditing(auditOf(audit, request, caller), () => handle(context)));
    if (audit !== null) logAudit(audit, request, caller);
    if (schema === "events") return reply;
    if (schema === "file") return sendFile(reply, answer);
    void reply.status(status).header("cache-control", "no-store");
    if (schema === null) return reply.send();
    if (options.checkAnswers) z.strictObject({ answer: schema }).parse({ answer });
    return reply.type("application/json; charset=utf-8").send(JSON.stringify(answer));
  }
}

/** Fastify's own signal also aborts once a body has arrived. */
function signalWhenGone(reply: FastifyReply): AbortSignal {
  const controller = new AbortController();
  reply.raw.once("close", () => {
    if (!reply.raw.writableEnded)
      controller.abort(new Problem("malformed-request", "The connection closed before the response."));
  });
  return controller.signal;
}

/** No browser sends a longer one. */
const longestUserAgent = 400;

const auditOf = (action: string, request: FastifyRequest, caller: Identity | null): AuditContext => ({
  action,
  userId: caller?.userId ?? null,
  organisationId: caller?.organisation?.id ?? null,
  address: addressOf(request),
  userAgent: (request.headers["user-agent"] ?? "").slice(0, longestUserAgent),
  requestId: request.id,
});

function logAudit(name: string, request: FastifyRequest, caller: Identity | null): void {
  const userId = caller?.userId ?? subjects.get(request) ?? null;
  request.log.info(
    {
      audit: name,
      userId,
      organisationId: caller?.organisation?.id ?? null,
      sessionId: caller?.sessionId ?? null,
      ip: addressOf(request),
    },
    "audit",
  );
}

interface AnyContext {
  params: unknown;
  query: unknown;
  headers: unknown;
  body: unknown;
  files: ReceivedFile[] | undefined;
  caller: Identity | null;
  gone: AbortSignal;
  request: FastifyRequest;
  reply: FastifyReply;
}

/**
 * Guarantee: readInput parsed the context with the entry whose types `route()` gave the handler, and checkAccess its
 * caller.
 */
function acceptingContext(handle: Route["handle"]): (context: AnyContext) => Promise<unknown> {
  return (context) => handle(context as never);
}
