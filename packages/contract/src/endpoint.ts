import type { z } from "zod";
import type { ProblemCode } from "./problem.ts";

type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/**
 * Who may call it: anyone; anyone signed in; or a member of the active organisation with this role or a higher one.
 * Analysts only read: use `analyst` for what changes nothing, `member` for work with leads and calls.
 */
export type Access = "public" | "signed-in" | "analyst" | "member" | "admin" | "owner";

/** `null`: no body. `"events"`: a live-event stream. `"file"`: an attachment. Otherwise JSON. */
type Success =
  | readonly [status: 200 | 201, schema: z.ZodType]
  | readonly [status: 204, schema: null]
  | readonly [status: 200, schema: "events" | "file"];

/** Files are sent as multipart/form-data in parts named file[]. `body` then describes the text fields. */
export interface FileRules {
  most: number;
  /** Per file. */
  largestBytes: number;
}

export interface Endpoint {
  method: Method;
  /** Below /api, parameters in braces: `/v1/calls/{callSid}`. */
  path: `/${string}`;
  summary: string;
  access: Access;
  /** The action's name in the audit log. Null for reads. */
  audit: string | null;
  params?: z.ZodObject;
  query?: z.ZodObject;
  headers?: z.ZodObject;
  body?: z.ZodType;
  files?: FileRules;
  /** The body is application/x-www-form-urlencoded, as for OAuth's token requests. */
  urlEncoded?: true;
  /** The body may be JSON or form-encoded. The handler reads the raw bytes, because a signature covers them. */
  bytes?: true;
  /** The client's timeout, if the usual ten seconds are too short. */
  mayTakeMs?: number;
  success: Success;
  /** Problems it may return in addition to the common ones (see problem.ts). */
  problems: readonly ProblemCode[];
}

/** Declares one endpoint. The server, the OpenAPI document, the client and the forms all read it. */
export function endpoint<const E extends Endpoint>(definition: E): E {
  return definition;
}

type Parsed<T> = T extends z.ZodType ? z.output<T> : undefined;
type Sent<T> = T extends z.ZodType ? z.input<T> : undefined;

/** What a handler receives, after validation. */
export interface HandlerInput<E extends Endpoint> {
  params: Parsed<E["params"]>;
  query: Parsed<E["query"]>;
  headers: Parsed<E["headers"]>;
  body: Parsed<E["body"]>;
}

type Given<K extends string, T> = T extends z.ZodType ? { [P in K]: Sent<T> } : unknown;
type GivenLoosely<K extends string, T> = T extends z.ZodType ? { [P in K]?: Sent<T> } : unknown;

/** What a caller sends. */
export type RequestInput<E extends Endpoint> = Given<"params", E["params"]> &
  GivenLoosely<"query", E["query"]> &
  GivenLoosely<"headers", E["headers"]> &
  Given<"body", E["body"]> &
  (E extends { files: FileRules } ? { files: readonly File[] } : unknown);

/** What the server returns. */
export type ResponseOf<E extends Endpoint> = E["success"][1] extends z.ZodType ? z.output<E["success"][1]> : undefined;
