import { ProblemError } from "./problem-error.ts";

/** Refuses files before they are uploaded, which the server would only do afterwards. */
export function refuseLarger(files: readonly File[], largestBytes: number, detail: string): void {
  if (files.some((file) => file.size > largestBytes))
    throw new ProblemError({ code: "body-too-large", title: "Too large", detail, status: 413 });
}
