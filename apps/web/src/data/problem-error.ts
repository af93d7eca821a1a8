import type { ProblemCode, ProblemDocument } from "@leadline/contract/problem";

/** The contract's codes, and those that only occur in a client. */
export type ProblemErrorCode = ProblemCode | "time-out" | "no-connection" | "answer-unreadable" | "not-played";

interface ProblemErrorParts {
  code: ProblemErrorCode;
  title: string;
  detail: string;
  /** 0 if there was no response. */
  status: number;
  errors?: ProblemDocument["errors"];
  retryAfterSeconds?: number | undefined;
}

/** A failed request. `detail` says what happened and what to do next, and can be shown. */
export class ProblemError extends Error {
  readonly code: ProblemErrorCode;
  readonly title: string;
  readonly detail: string;
  readonly status: number;
  readonly errors: readonly { field: string; message: string }[];
  readonly retryAfterSeconds: number | undefined;

  constructor(parts: ProblemErrorParts) {
    super(parts.detail);
    this.name = "ProblemError";
    this.code = parts.code;
    this.title = parts.title;
    this.detail = parts.detail;
    this.status = parts.status;
    this.errors = parts.errors ?? [];
    this.retryAfterSeconds = parts.retryAfterSeconds;
  }
}

/** A message for any thrown value. */
export const problemDetail = (error: unknown): string =>
  error instanceof ProblemError
    ? error.detail
    : "Something on this page failed because of an error on our side. Reload it and try again.";

export const timeOutProblem = (waitedMs: number): ProblemError =>
  new ProblemError({
    code: "time-out",
    title: "Request timed out",
    detail: `Leadline didn’t respond within ${waitedMs / 1_000} seconds. Check your connection and try again.`,
    status: 0,
  });

export const noConnectionProblem = (): ProblemError =>
  new ProblemError({
    code: "no-connection",
    title: "Can’t reach Leadline",
    detail: "Can’t reach Leadline. Check your connection and try again.",
    status: 0,
  });
