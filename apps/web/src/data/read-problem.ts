import { type ProblemCode, type ProblemDocument, problemTypes } from "@leadline/contract/problem";
import { ProblemError } from "./problem-error.ts";

const isProblemCode = (code: string): code is ProblemCode => Object.hasOwn(problemTypes, code);

const isProblemDocument = (body: unknown): body is ProblemDocument =>
  typeof body === "object" &&
  body !== null &&
  "type" in body &&
  typeof body.type === "string" &&
  "detail" in body &&
  typeof body.detail === "string";

/** Turns a failed response into its ProblemError; a proxy's page or an empty body gets words of our own. */
export async function readProblem(response: Response): Promise<ProblemError> {
  const body: unknown = await response.json().catch(() => null);
  if (!isProblemDocument(body)) return unreadableAnswer(response.status);
  const code = body.type.slice(body.type.indexOf("#") + 1);
  return new ProblemError({
    code: isProblemCode(code) ? code : "answer-unreadable",
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
    detail: "Leadline gave an answer this page cannot read. Wait a moment, then try again.",
    status,
  });
