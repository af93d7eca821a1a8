import { ProblemError } from "./problem-error.ts";

/** Before a file is sent that the server would refuse, once it had all of it. */
export function refuseLarger(files: readonly File[], largestBytes: number, detail: string): void {
  if (files.some((file) => file.size > largestBytes))
    throw new ProblemError({ code: "body-too-large", title: "Too large", detail, status: 413 });
}
