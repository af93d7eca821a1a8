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
}

export function defineJob<Schema extends z.ZodObject>(job: Job<Schema>): Job<Schema> {
  return job;
}
