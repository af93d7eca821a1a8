import type { z } from "zod";
import type { ProblemCode } from "./problem.ts";

type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/**
 * Who may call: anyone; anyone logged in; from this role on in the active organisation. An analyst only reads: `analyst`
 * is for what changes nothing, `member` for work with leads and calls.
 */
export type Access = "public" | "signed-in" | "analyst" | "member" | "admin" | "owner";

/** `null` answers without a body; instead of JSON, `"events"` answers a live-event stream and `"file"` an attachment. */
type Success =
  | readonly [status: 200 | 201, schema: z.ZodType]
  | readonly [status: 204, schema: null]
  | readonly [status: 200, schema: "events" | "file"];

/** Files come as multipart/form-data in parts named file[]; `body` then describes the text fields beside them. */
export interface FileRules {
  most: number;
  /** Each. */
  largestBytes: number;
}

export interface Endpoint {
  method: Method;
  /** Below /api, parameters in braces: `/v1/calls/{callSid}`. */
  path: `/${string}`;
  summary: string;
  access: Access;
  /** The name under which a use is logged for audit; null for reads. */
  audit: string | null;
  params?: z.ZodObject;
  query?: z.ZodObject;
  headers?: z.ZodObject;
  body?: z.ZodType;
  files?: FileRules;
  /** The body comes as application/x-www-form-urlencoded, as OAuth's token requests do. */
  urlEncoded?: true;
  /** The body is whatever the caller sends, as JSON or form-encoded: the handler reads the bytes, which a signature covers. */
  bytes?: true;
  /** How long a caller waits for the answer, where the usual ten seconds are too short. */
  mayTakeMs?: number;
  success: Success;
  /** What it answers beyond the problems every endpoint may answer (see problem.ts). */
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

/** What a caller gives. */
export type RequestInput<E extends Endpoint> = Given<"params", E["params"]> &
  GivenLoosely<"query", E["query"]> &
  GivenLoosely<"headers", E["headers"]> &
  Given<"body", E["body"]> &
  (E extends { files: FileRules } ? { files: readonly File[] } : unknown);

/** What the server answers. */
export type Answer<E extends Endpoint> = E["success"][1] extends z.ZodType ? z.output<E["success"][1]> : undefined;
