import type { Readable } from "node:stream";
import type { ResponseOf, Endpoint, FileRules, HandlerInput } from "@leadline/contract/endpoint";
import type { Role } from "@leadline/contract/organisations";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Issue } from "./read-input.ts";

/** The caller, according to the access token and the database, never according to a body. */
export interface Identity {
  userId: string;
  sessionId: string;
  /** The active organisation, of which the user is currently a member. */
  organisation: { id: string; role: Role } | null;
}
export type Member = Identity & { organisation: NonNullable<Identity["organisation"]> };

type Caller<E extends Endpoint> = E["access"] extends "public"
  ? null
  : E["access"] extends "signed-in"
    ? Identity
    : Member;

/** A file received with the request; it is deleted once the request is answered. */
export interface ReceivedFile {
  /** The sender's file name: only a text, never used as a path. */
  name: string;
  /** The temporary file with its contents. */
  path: string;
  sizeBytes: number;
}

/** Both are zero-based, and the last byte is included. */
export interface ByteRange {
  firstByte: number;
  lastByte: number;
}

/** A complete attachment to send. */
export interface WholeFile {
  name: string;
  mediaType: string;
  sizeBytes?: number;
  content: Readable;
}
/** A file of which any range can be requested. */
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
  /** Aborted if the connection closes before the response, to stop work that no one waits for. */
  gone: AbortSignal;
  request: FastifyRequest;
  /** For response headers (Link, Retry-After); the handler returns the body. */
  reply: FastifyReply;
}

export interface Route {
  endpoint: Endpoint;
  handle: (context: never) => Promise<unknown>;
  /** Further issues with a refused body, so that the caller sees all of them at once. */
  furtherIssues?: ((refused: RefusedInput) => readonly Issue[] | Promise<readonly Issue[]>) | undefined;
  /** Refuses files before they are received, by the length that the request announces. */
  beforeFiles?: ((caller: Identity, announcedBytes: number) => Promise<void>) | undefined;
  /**
   * The key of the process that handles this request's subject, if it is another one; null: this process handles it.
   */
  owner?: ((context: never) => Promise<number | null>) | undefined;
}

/** As received, unparsed. */
export interface RefusedInput {
  caller: Identity | null;
  params: unknown;
  body: unknown;
}

/** Connects a contract entry to its handler; the types of input, caller and response follow from the entry. */
export function route<const E extends Endpoint>(
  endpoint: E,
  handle: (context: HandlerContext<E>) => Promise<E["success"][1] extends "file" ? FileAnswer : ResponseOf<E>>,
  options: Pick<Route, "furtherIssues" | "beforeFiles"> & {
    owner?: (context: HandlerContext<E>) => Promise<number | null>;
  } = {},
): Route {
  return { endpoint, handle, ...options };
}
