import { createHash, timingSafeEqual } from "node:crypto";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import { addressOf } from "./address-of.ts";
import { sendProblem } from "./answer-problems.ts";
import { Problem } from "./problem.ts";

/** A proxy on this machine makes every client look local; these headers reveal it. */
const forwardingHeaders = ["forwarded", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-real-ip", "via"];

/** A gauge that is read at each scrape. */
export interface Reading {
  name: string;
  help: string;
  read(): number;
}

/** GET /api/metrics for Prometheus: from this machine, or with METRICS_TOKEN as the bearer token. */
export function measureRequests(
  app: FastifyInstance,
  options: { token: string | null; readings: readonly Reading[] },
): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, prefix: "leadline_" });
  const durations = new Histogram({
    name: "leadline_http_request_seconds",
    help: "Time from a request's headers to the end of its answer",
    labelNames: ["method", "route", "status"],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [registry],
  });
  for (const { name, help, read } of options.readings) {
    const gauge: Gauge = new Gauge({ name, help, registers: [registry], collect: (): void => gauge.set(read()) });
  }
  app.addHook("onResponse", (request, reply, done) => {
    const route = request.routeOptions.url ?? "none";
    durations.observe({ method: request.method, route, status: reply.statusCode }, reply.elapsedTime / 1000);
    done();
  });
  app.get("/api/metrics", async (request, reply) => {
    if (!mayRead(request, options.token)) {
      request.log.warn({ security: "authorisation-failed", ip: addressOf(request) }, "metrics refused");
      return sendProblem(reply, new Problem("not-found", "There is nothing at this address."));
    }
    return reply.type(registry.contentType).send(await registry.metrics());
  });
  return registry;
}

function mayRead(request: FastifyRequest, token: string | null): boolean {
  const given = /^Bearer (.+)$/i.exec(request.headers.authorization ?? "")?.[1];
  if (given !== undefined) return token !== null && timingSafeEqual(digest(given), digest(token));
  const isLocal = /^(127\.|::1$|::ffff:127\.)/.test(request.socket.remoteAddress ?? "");
  return isLocal && forwardingHeaders.every((name) => request.headers[name] === undefined);
}

const digest = (text: string): Buffer => createHash("sha256").update(text).digest();
