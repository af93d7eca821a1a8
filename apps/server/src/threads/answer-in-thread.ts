import { parentPort } from "node:worker_threads";
import type { FromThread } from "./open-work-thread.ts";

/** The thread's side of openWorkThread. */
export function answerInThread<Question, Answer>(answer: (question: Question) => Answer | Promise<Answer>): void {
  const send = (message: FromThread<Answer>): void => parentPort?.postMessage(message);
  parentPort?.on("message", async (question: Question) => {
    try {
      send({ answer: await answer(question) });
    } catch (error) {
      const { message, code } =
        error instanceof Error
          ? { code: undefined, ...error, message: error.message }
          : { message: String(error), code: undefined };
      send({ failure: { message, code } });
    }
  });
}
