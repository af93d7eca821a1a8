import type { Answer, Endpoint, HandlerInput } from "@leadline/contract/endpoint";
import type { Role } from "@leadline/contract/organisations";
import type { FastifyReply, FastifyRequest } from "fastify";

/** Who calls, as the access token and the database say: never from a body. */
export interface Identity {
  userId: string;
  sessionId: string;
  /** The active organisation, of which the person is a member at this moment. */
  organisation: { id: string; role: Role } | null;
}
export type Member = Identity & { organisation: NonNullable<Identity["organisation"]> };

type Caller<E extends Endpoint> = E["access"] extends "public"
  ? null
  : E["access"] extends "signed-in"
    ? Identity
    : Member;

export interface HandlerContext<E extends Endpoint> extends HandlerInput<E> {
  caller: Caller<E>;
  request: FastifyRequest;
  /** For a header beside the answer (Link, Retry-After); the answer itself is returned. */
  reply: FastifyReply;
}

export interface Route {
  endpoint: Endpoint;
  handle: (context: never) => Promise<unknown>;
}

/** Joins a contract entry to its handler; the types of input, caller and answer follow from the entry. */
export function route<const E extends Endpoint>(
  endpoint: E,
  handle: (context: HandlerContext<E>) => Promise<Answer<E>>,
): Route {
  return { endpoint, handle };
}
