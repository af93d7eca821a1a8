import type { FastifyRequest } from "fastify";
import type { Origin } from "./session-deps.ts";

export function originOf(request: FastifyRequest): Origin {
  const userAgent = request.headers["user-agent"]?.slice(0, 300) ?? null;
  return { ip: request.ip, userAgent };
}
