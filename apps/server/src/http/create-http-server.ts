import { randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { tmpdir } from "node:os";
import multipart from "@fastify/multipart";
import type { Endpoint } from "@leadline/contract/endpoint";
import { endpoints as wholeContract } from "@leadline/contract/endpoints";
import fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from "fastify";
import { addressOf } from "./address-of.ts";
import type { Log } from "../log.ts";
import { answerClientError, unknownExpectation } from "./answer-client-error.ts";
import { answerProblems } from "./answer-problems.ts";
import type { Authenticate } from "./check-access.ts";
import { checkRoutes } from "./check-routes.ts";
import { serveDocs } from "./docs-page.ts";
import { measureRequests, type Reading } from "./metrics.ts";
import { Problem } from "./problem.ts";
import type { Route } from "./route.ts";
import { securityHeaders, setSecurityHeaders } from "./security-headers.ts";
import { serveRoute } from "./serve-route.ts";
import { refuseAddress, serveWebApp } from "./serve-web-app.ts";
import { countUploadsInProgress } from "./uploads-in-progress.ts";

export interface HttpServerOptions {
  routes: readonly Route[];
  authenticate: Authenticate;
  log: Log;
  /** The entries to serve: the whole contract, unless a test serves part of it. */
  endpoints?: Record<string, Endpoint>;
  publicUrl?: URL | null;
  trustedProxies?: string[];
  metricsToken?: string | null;
  /** Additional metrics for /api/metrics, apart from requests and the process. */
  readings?: readonly Reading[];
  /** Where uploads are received; by default, for tests, the system's temporary folder. */
  uploadFolder?: string;
  /** The folder of the built web app; null serves the API only. */
  webRoot?: string | null;
  /** For tests: fails if a response doesn't match its schema. */
  checkAnswers?: boolean;
}

export async function createHttpServer(options: HttpServerOptions): Promise<FastifyInstance> {
  const endpoints = options.endpoints ?? wholeContract;
  checkRoutes(endpoints, options.routes);
  const https = options.publicUrl?.protocol === "https:";
  const logger: FastifyBaseLogger = options.log;
  const app = fastify({
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: (request) => saneRequestId(request.headers["x-request-id"]) ?? randomUUID(),
    trustProxy: options.trustedProxies?.length ? options.trustedProxies : false,
    bodyLimit: 256 * 1024,
    // Long enough for the largest upload over a slow connection.
    requestTimeout: 120_000,
    return503OnClosing: false,
    // Node would refuse these with a bare 400; see refuseMissingHost.
    http: { requireHostHeader: false },
    clientErrorHandler: (error, socket) => answerClientError(error, socket, securityHeaders({ https })),
    routerOptions: { ignoreTrailingSlash: true },
    frameworkErrors: (_error, request, reply) => {
      reply.headers(securityHeaders({ https }));
      void refuseAddress(request, reply, options.webRoot ?? null);
    },
  });
  // Node would answer this itself, without logging it.
  app.server.on("checkExpectation", (request: IncomingMessage) =>
    app.server.emit(
      "clientError",
      Object.assign(new Error("unknown expectation"), { code: unknownExpectation }),
      request.socket,
    ),
  );
  app.addHook("onRequest", (request, reply, done) => {
    void reply.header("x-request-id", request.id);
    done();
  });
  setSecurityHeaders(app, { https });
  refuseMissingHost(app);
  logRequests(app);
  measureRequests(app, { token: options.metricsToken ?? null, readings: options.readings ?? [] });
  answerProblems(app);
  readBodies(app);
  await app.register(multipart);
  const { authenticate, checkAnswers = false } = options;
  const uploads = { folder: options.uploadFolder ?? tmpdir(), inProgress: countUploadsInProgress() };
  for (const route of options.routes) serveRoute(app, route, { authenticate, checkAnswers, uploads });
  serveDocs(app, endpoints, { publicUrl: options.publicUrl ?? null, webRoot: options.webRoot ?? null });
  await serveWebApp(app, options.webRoot ?? null);
  return app;
}

/** Keeps a proxy's request id unless it could forge a log line. */
function saneRequestId(header: string | string[] | undefined): string | null {
  return typeof header === "string" && /^[\w.-]{8,64}$/.test(header) ? header : null;
}

/** RFC 9112, section 3.2. */
function refuseMissingHost(app: FastifyInstance): void {
  app.addHook("onRequest", async ({ raw }, reply) => {
    if (raw.httpVersion !== "1.1" || raw.headers.host !== undefined) return;
    void reply.header("connection", "close");
    throw new Problem("malformed-request", "The request has no Host header.");
  });
}

/** Leaves out the query: a faulty client may have put a secret into it. */
function logRequests(app: FastifyInstance): void {
  app.addHook("onResponse", (request, reply, done) => {
    request.log.info(
      {
        method: request.method,
        path: request.url.split("?", 1)[0],
        status: reply.statusCode,
        durationMs: Math.round(reply.elapsedTime * 10) / 10,
        ip: addressOf(request),
      },
      "request",
    );
    done();
  });
}

/** Parses JSON, and form-encoded fields for the entries that accept them (see refuseOtherThan). */
function readBodies(app: FastifyInstance): void {
  const parseJson = app.getDefaultJsonParser("error", "error");
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("application/json", { parseAs: "buffer" }, (request, body, done) => {
    // Many clients set the content type even without a body.
    if (request.routeOptions.config.keepsBytes) done(null, body);
    else if (body.length === 0) done(null, undefined);
    else void parseJson(request, body.toString(), done);
  });
  app.addContentTypeParser("application/x-www-form-urlencoded", { parseAs: "buffer" }, (request, body, done) =>
    done(
      null,
      request.routeOptions.config.keepsBytes ? body : Object.fromEntries(new URLSearchParams(body.toString())),
    ),
  );
}
