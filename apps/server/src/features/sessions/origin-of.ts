import type { FastifyRequest } from "fastify";
import { addressOf } from "../../http/address-of.ts";
import type { Origin } from "./session-deps.ts";

export function originOf(request: FastifyRequest): Origin {
  const userAgent = request.headers["user-agent"]?.slice(0, 300) ?? null;
  return { ip: addressOf(request), userAgent };
}
