import type { Readable } from "node:stream";
import type { Answer, Endpoint, FileRules, HandlerInput } from "@leadline/contract/endpoint";
import type { Role } from "@leadline/contract/organisations";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Issue } from "./read-input.ts";

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

/** One that came with the request; it is gone once the request is answered. */
export interface ReceivedFile {
  /** As the sender named it: text, never a path of ours. */
  name: string;
  /** Where its bytes are meanwhile. */
  path: string;
  sizeBytes: number;
}

/** Both are counted from 0, and the last one is read too. */
export interface ByteRange {
  firstByte: number;
  lastByte: number;
}

/** An attachment to answer with. */
export interface WholeFile {
  name: string;
  mediaType: string;
  sizeBytes?: number;
  content: Readable;
}
/** Of which any part can be asked for. */
export interface FileInParts {
  name: string;
  mediaType: string;
  sizeBytes: number;
  read(range: ByteRange): Readable;
}
export type FileAnswer = WholeFile | FileInParts;

export interface HandlerContext<E extends Endpoint> extends HandlerInput<E> {
  caller: Caller<E>;
  files: E extends { files: FileRules } ? ReceivedFile[] : undefined;
  /** Aborted when the connection closes before the answer: work for nobody stops. */
  gone: AbortSignal;
  request: FastifyRequest;
  /** For a header beside the answer (Link, Retry-After); the answer itself is returned. */
  reply: FastifyReply;
}

export interface Route {
  endpoint: Endpoint;
  handle: (context: never) => Promise<unknown>;
  /** What else is wrong with a body that the entry refuses, so that whoever wrote it is told at once. */
  furtherIssues?: ((refused: RefusedInput) => readonly Issue[] | Promise<readonly Issue[]>) | undefined;
  /** The key of the process that has what the request is about, where that is another one; null: it is handled here. */
  owner?: ((context: never) => Promise<number | null>) | undefined;
}

/** As it came, unread. */
export interface RefusedInput {
  caller: Identity | null;
  params: unknown;
  body: unknown;
}

/** Joins a contract entry to its handler; the types of input, caller and answer follow from the entry. */
export function route<const E extends Endpoint>(
  endpoint: E,
  handle: (context: HandlerContext<E>) => Promise<E["success"][1] extends "file" ? FileAnswer : Answer<E>>,
  options: Pick<Route, "furtherIssues"> & { owner?: (context: HandlerContext<E>) => Promise<number | null> } = {},
): Route {
  return { endpoint, handle, ...options };
}
