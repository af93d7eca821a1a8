import type { FastifyError, FastifyInstance, FastifyReply } from "fastify";
import { DatabaseUnreachable } from "../db/database-unreachable.ts";
import { NoTurnInTime } from "../db/fair-turns.ts";
import { Problem } from "./problem.ts";

/** Answers every failure with problem+json; details that the caller can't act on stay in the log. */
export function answerProblems(app: FastifyInstance): void {
  app.setErrorHandler((error, request, reply) => {
    const problem = toProblem(error, request.id);
    if (problem.status >= 500) request.log.error({ err: error }, "request failed");
    else request.log.debug({ problem: problem.code }, "request refused");
    return sendProblem(reply, problem);
  });
}

export function sendProblem(reply: FastifyReply, problem: Problem): FastifyReply {
  const { retryAfterSeconds } = problem.extras;
  if (retryAfterSeconds !== undefined) void reply.header("retry-after", retryAfterSeconds);
  if (problem.status === 401) void reply.header("www-authenticate", "Bearer");
  return reply
    .status(problem.status)
    .header("cache-control", "no-store")
    .type("application/problem+json")
    .send(JSON.stringify(problem.toDocument()));
}

function toProblem(error: unknown, requestId: string): Problem {
  if (error instanceof Problem) return error;
  if (error instanceof DatabaseUnreachable) {
    const why =
      error.cause instanceof NoTurnInTime
        ? "Your organisation has too many requests in progress."
        : "Leadline can’t reach its database right now.";
    return new Problem("unavailable", `${why} Try again in a moment.`, { retryAfterSeconds: 1, cause: error });
  }
  const { code = "", statusCode = 500 } = isFastifyError(error) ? error : {};
  // PostgreSQL can't store a zero byte in text; it, or the system, may also have no space left on the disk.
  if (code === "22021" || code === "22P05") {
    return new Problem(
      "invalid-input",
      "Your text contains a character that can’t be stored (a zero byte). Remove it.",
    );
  }
  if (code === "53100" || code === "ENOSPC" || code === "EDQUOT") {
    return new Problem(
      "unavailable",
      "The server’s disk is full, so nothing was saved. Tell your administrator, and try again once there is space.",
      {
        retryAfterSeconds: 30,
        cause: error,
      },
    );
  }
  if (code === "FST_ERR_CTP_BODY_TOO_LARGE") return new Problem("body-too-large", "Send less than 256 kB at a time.");
  if (code === "FST_ERR_CTP_INVALID_MEDIA_TYPE") {
    return new Problem("media-type-not-supported", "Send the body as application/json.");
  }
  if (statusCode >= 400 && statusCode < 500) {
    return new Problem("malformed-request", "The request can’t be read: its JSON, length or address is malformed.");
  }
  return new Problem(
    "internal-error",
    `That failed because of an error on our side. It has been logged as ${requestId.slice(0, 8)}. Try again.`,
    { cause: error },
  );
}

function isFastifyError(error: unknown): error is FastifyError {
  return error instanceof Error && "code" in error;
}
