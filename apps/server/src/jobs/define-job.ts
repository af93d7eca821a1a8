import type { z } from "zod";
import type { Jobs } from "./run-jobs.ts";

/** Work that survives a restart: stored in the database, retried if it fails, run by any process. */
export interface Job<Schema extends z.ZodObject = z.ZodObject> {
  /** Also the name of the queue. */
  name: string;
  schema: Schema;
  run(data: z.output<Schema>, jobs: Pick<Jobs, "enqueue">): Promise<void>;
  /** Five fields, UTC; the job is then scheduled automatically, with `{}` as its data. */
  cron?: string;
  /** Gives up after this many retries: 5 by default, the last one about a minute after the first attempt. */
  retries?: number;
  /** The delay before the first retry, 1 s by default; each delay is about twice the one before, up to an hour. */
  firstWaitMs?: number;
  /**
   * How many run concurrently in this process, independently: for work that takes seconds, so that one doesn't delay
   * the others.
   */
  atOnce?: number;
}

export function defineJob<Schema extends z.ZodObject>(job: Job<Schema>): Job<Schema> {
  return job;
}
