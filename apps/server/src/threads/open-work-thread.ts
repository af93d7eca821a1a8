import { Worker } from "node:worker_threads";

/** Why a thread could not answer; `code` is the code of a failed system call. */
interface ThreadFailure {
  message: string;
  code: string | undefined;
}
export type FromThread<Answer> = { answer: Answer } | { failure: ThreadFailure };

export interface WorkThread<Question, Answer> {
  /**
   * `by`: the organisation, as they take turns. Rejects with the signal's reason once it is aborted, which ends the
   * thread if it is working on this question, and with whatever the thread threw.
   */
  ask(question: Question, options: Asker): Promise<Answer>;
}

export interface Asker {
  by: string;
  signal?: AbortSignal | undefined;
}

interface Waiting<Question, Answer> {
  by: string;
  question: Question;
  resolve: (answer: Answer) => void;
  reject: (error: unknown) => void;
}

/** A thread's memory only returns to the system when it ends. */
const idleMs = 30_000;

export interface ThreadLimits {
  name: string;
  /** A question that takes longer than this terminates the thread. */
  longestMs: number;
  heapMb: number;
}

/**
 * One thread for processing uploads, so that no file blocks the API. It handles one question at a time, so it uses at
 * most one core. It starts with the first question, and again after a question that crashed it.
 */
export function openWorkThread<Question, Answer>(
  file: URL,
  { name, longestMs, heapMb }: ThreadLimits,
): WorkThread<Question, Answer> {
  /** By organisation, in serving order: one that was served goes to the end. */
  const queues = new Map<string, Set<Waiting<Question, Answer>>>();
  let lastServed = "";
  let worker: Worker | null = null;
  let current: Waiting<Question, Answer> | null = null;
  let timer: NodeJS.Timeout | undefined;

  function start(): Worker {
    const started = new Worker(file, { name, resourceLimits: { maxOldGenerationSizeMb: heapMb } });
    started.on("message", (told: FromThread<Answer>) => {
      if (worker !== started) return;
      const asked = finish();
      if ("answer" in told) asked?.resolve(told.answer);
      else asked?.reject(Object.assign(new Error(told.failure.message), { code: told.failure.code }));
    });
    const end = (error: Error): void => {
      if (worker !== started) return;
      worker = null;
      finish()?.reject(error);
    };
    started.on("error", end);
    started.on("exit", () => end(new Error(`the thread "${name}" ended`)));
    return started;
  }

  function finish(): typeof current {
    clearTimeout(timer);
    const finished = current;
    current = null;
    worker?.unref();
    // After the answer is delivered.
    queueMicrotask(next);
    return finished;
  }

  function stop(): void {
    void worker?.terminate();
  }

  /** Synchronous: a question that arrives before the thread has ended starts the next one. */
  function release(): void {
    stop();
    worker = null;
  }

  function next(): void {
    if (current !== null) return;
    clearTimeout(timer);
    const waiting = firstOfNextQueue();
    if (waiting === undefined) {
      timer = setTimeout(release, idleMs).unref();
      return;
    }
    leaveQueue(waiting);
    const others = queues.get(waiting.by);
    if (others !== undefined && queues.delete(waiting.by)) queues.set(waiting.by, others);
    lastServed = waiting.by;
    current = waiting;
    worker ??= start();
    worker.ref();
    timer = setTimeout(stop, longestMs);
    worker.postMessage(waiting.question);
  }

  function firstOfNextQueue(): Waiting<Question, Answer> | undefined {
    const by = [...queues.keys()].find((each) => each !== lastServed) ?? lastServed;
    return queues.get(by)?.values().next().value;
  }

  function leaveQueue(waiting: Waiting<Question, Answer>): void {
    const queue = queues.get(waiting.by);
    queue?.delete(waiting);
    if (queue?.size === 0) queues.delete(waiting.by);
  }

  function giveUp(waiting: Waiting<Question, Answer>, reason: unknown): void {
    leaveQueue(waiting);
    if (current === waiting) {
      release();
      finish();
    }
    waiting.reject(reason);
  }

  return {
    async ask(question, { by, signal }) {
      signal?.throwIfAborted();
      const { promise, resolve, reject } = Promise.withResolvers<Answer>();
      const waiting = { by, question, resolve, reject };
      const onAbort = (): void => giveUp(waiting, signal?.reason);
      signal?.addEventListener("abort", onAbort);
      queues.set(by, (queues.get(by) ?? new Set()).add(waiting));
      next();
      return promise.finally(() => signal?.removeEventListener("abort", onAbort));
    },
  };
}
