import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { type ProblemCode, problemTypes } from "@leadline/contract/problem";
import { z } from "zod";
import type { Database } from "../../db/database.ts";
import type { Tx } from "../../db/transaction.ts";
import { announce, listLivingProcesses, markProcessAlive } from "../../db/mark-process-alive.ts";
import { Problem } from "../../http/problem.ts";
import type { Log } from "../../log.ts";
import { createSealer } from "../../seal-secrets.ts";
import type { DeriveKey } from "../../secrets.ts";
import { collectAnswers, insertCommand, takeCommands, withdrawCommand, writeAnswer } from "./process-commands.table.ts";

/** Longer than a command takes, and with the last look shorter than the 10 s that a browser waits. */
const patienceMs = 8_500;
const lookEveryMs = 1_000;
/** A command that has waited this long isn't started, because the sender is about to give up. */
const takenWithinMs = 7_500;

const Answer = z.union([
  z.object({ value: z.unknown() }),
  z.object({
    problem: z.object({
      code: z.custom<ProblemCode>((code) => typeof code === "string" && Object.hasOwn(problemTypes, code)),
      detail: z.string(),
      errors: z.array(z.object({ field: z.string(), message: z.string() })).optional(),
      retryAfterSeconds: z.number().optional(),
    }),
  }),
]);
type Answer = z.output<typeof Answer>;

/** JSON on both sides. */
type RunCommand = (command: unknown) => Promise<unknown>;

export interface Commands {
  /** This process's key in mark-process-alive.ts. */
  processKey: number;
  /**
   * Runs the command in that process. Resolves to its answer, or rejects with its problem or the reason why there is no
   * answer.
   */
  ask(processKey: number, command: unknown): Promise<unknown>;
  /** Runs commands from other processes from now on. */
  serve(run: RunCommand): void;
  /**
   * Notifies every process, including this one, when the transaction commits. Notifications may be lost with a
   * connection.
   */
  announce(tx: Tx, what: string): Promise<unknown>;
  onAnnounced(listener: (what: string) => void): void;
  close(): Promise<void>;
}

/** Marks this process alive, and passes commands and their results between the processes of this database. */
export async function openCommands(options: { database: Database; deriveKey: DeriveKey; log: Log }): Promise<Commands> {
  const { database, log } = options;
  const sealer = createSealer(options.deriveKey, "process-commands");
  const waiting = new Map<string, (answer: Answer) => void>();
  const system = { system: "commands between processes" };
  let run: RunCommand | null = null;

  const listeners: ((what: string) => void)[] = [];
  const onAnnounced = (what: string): void => listeners.forEach((listener) => listener(what));
  const mark = await markProcessAlive(database, log, () => void look(), onAnnounced);
  const { processKey } = mark;

  /** Takes commands for this process, and collects answers to its own. */
  async function look(): Promise<void> {
    try {
      const { taken, answered } = await database.withTransaction(system, async (tx) => ({
        taken: run === null ? [] : await takeCommands(tx, { processKey, youngerThanMs: takenWithinMs }),
        answered: waiting.size === 0 ? [] : await collectAnswers(tx, processKey),
      }));
      for (const command of taken) void execute(command);
      for (const { id, answer } of answered) waiting.get(id)?.(readAnswer(id, answer ?? ""));
    } catch (error) {
      log.warn({ err: error }, "commands between processes could not be read");
    }
  }

  function readAnswer(id: string, sealed: string): Answer {
    try {
      return Answer.parse(JSON.parse(sealer.open(sealed, id)));
    } catch (error) {
      log.error({ err: error }, "another process's response could not be read: do both have the same SECRET_KEY?");
      return { problem: { code: "unavailable", detail: outOfReach } };
    }
  }

  async function execute({ id, asked_by: askedBy, command }: { id: string; asked_by: number; command: string }) {
    const answer = await (async (): Promise<Answer> => ({
      value: (await run?.(JSON.parse(sealer.open(command, id)))) ?? null,
    }))().catch((error: unknown) => ({ problem: describe(error) }));
    const sealed = sealer.encrypt(JSON.stringify(answer), id);
    await database
      .withTransaction(system, (tx) => writeAnswer(tx, { id, askedBy, answer: sealed }))
      .catch((error: unknown) => log.warn({ err: error }, "another process could not be answered"));
  }

  function describe(error: unknown) {
    if (error instanceof Problem) {
      const { errors, retryAfterSeconds } = error.extras;
      return { code: error.code, detail: error.message, errors, retryAfterSeconds };
    }
    log.error({ err: error }, "a command from another process failed");
    return {
      code: "unavailable" as const,
      detail: "The server couldn’t do that for this call. Try again.",
    };
  }

  /** Rejects once no answer can be expected. */
  async function watch(id: string, asked: number): Promise<never> {
    const givesUpAtMs = performance.now() + patienceMs;
    for (;;) {
      await wait(lookEveryMs, undefined, { ref: false });
      if (!waiting.has(id)) return new Promise(() => {});
      // Its notification may have been lost with the connection.
      await look();
      const living = await database.withTransaction(system, listLivingProcesses).catch(() => [asked]);
      const lives = living.includes(asked);
      if (lives && performance.now() < givesUpAtMs) continue;
      const withdrawn = await database.withTransaction(system, (tx) => withdrawCommand(tx, id));
      throw withdrawn ? processGone() : new Problem("unavailable", outOfReach, { retryAfterSeconds: 5 });
    }
  }

  return {
    processKey,
    async ask(asked, command) {
      const id = randomUUID();
      const { promise, resolve } = Promise.withResolvers<Answer>();
      waiting.set(id, resolve);
      try {
        const sealed = sealer.encrypt(JSON.stringify(command), id);
        await database.withTransaction(system, (tx) =>
          insertCommand(tx, { id, processKey: asked, askedBy: processKey, command: sealed }),
        );
        const answer = await Promise.race([promise, watch(id, asked)]);
        if ("value" in answer) return answer.value;
        const { code, detail, errors, retryAfterSeconds } = answer.problem;
        throw new Problem(code, detail, {
          ...(errors && { errors }),
          ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
        });
      } finally {
        waiting.delete(id);
      }
    },
    serve(next) {
      run = next;
      void look();
    },
    announce,
    onAnnounced: (listener) => void listeners.push(listener),
    close: () => mark.close(),
  };
}

const outOfReach =
  "The server carrying this call isn’t responding. Check the call before you try again: your change may have taken effect.";

/** The command was not run. */
export const processGone = (): Problem =>
  new Problem(
    "unavailable",
    "The server carrying this call isn’t responding, so nothing was done. Try again in a few seconds.",
    { retryAfterSeconds: 5 },
  );
