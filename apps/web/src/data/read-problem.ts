import type { ProblemDocument } from "@leadline/contract/problem";
import { ProblemError, type ProblemErrorCode } from "./problem-error.ts";

/** Guarantee: the server names its problems by the contract; a newer server's new code matches no comparison. */
const asProblemCode = (code: string): ProblemErrorCode => code as ProblemErrorCode;

const isProblemDocument = (body: unknown): body is ProblemDocument =>
  typeof body === "object" &&
  body !== null &&
  "type" in body &&
  typeof body.type === "string" &&
  "detail" in body &&
  typeof body.detail === "string";

/** Converts a failed response to its ProblemError; a proxy's page or an empty body gets a message of ours. */
export async function readProblem(response: Response): Promise<ProblemError> {
  const body: unknown = await response.json().catch(() => null);
  if (!isProblemDocument(body)) return unreadableAnswer(response.status);
  const code = body.type.slice(body.type.indexOf("#") + 1);
  return new ProblemError({
    code: asProblemCode(code),
    title: body.title,
    detail: body.detail,
    status: response.status,
    errors: body.errors,
    retryAfterSeconds: body.retryAfterSeconds,
  });
}

export const unreadableAnswer = (status: number): ProblemError =>
  new ProblemError({
    code: "answer-unreadable",
    title: "Leadline is not ready",
    detail: "Leadline sent a response this page can’t read. Wait a moment, then try again.",
    status,
  });
