import type { z } from "zod";
import type { Jobs } from "./run-jobs.ts";

/** Work that survives a restart: kept in the database, tried again when it fails, run by any process. */
export interface Job<Schema extends z.ZodObject = z.ZodObject> {
  /** Also the queue's name. */
  name: string;
  schema: Schema;
  run(data: z.output<Schema>, jobs: Pick<Jobs, "enqueue">): Promise<void>;
  /** Five fields, UTC; the job then runs by itself, with `{}` as its data. */
  cron?: string;
  /** After so many tries beyond the first it is given up: 5 by default, the last one about a minute after the first. */
  retries?: number;
  /** Before the second try, 1 s by default; each wait is about twice the one before, up to an hour. */
  firstWaitMs?: number;
  /** So many at once in this process, each by itself, for work of seconds: one of them then keeps no other waiting. */
  atOnce?: number;
}

export function defineJob<Schema extends z.ZodObject>(job: Job<Schema>): Job<Schema> {
  return job;
}
