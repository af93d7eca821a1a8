import { inject } from "vitest";
import type { Job } from "../jobs/define-job.ts";
import { type Jobs, runJobs } from "../jobs/run-jobs.ts";
import type { Log } from "../log.ts";

/** The real queue, started with the first job: most suites need none, and starting takes a second. */
export function jobsOnDemand(jobs: readonly Job[], log: Log, databaseUrl = inject("databaseUrl")): Jobs {
  let running: Promise<Jobs> | undefined;
  return {
    async enqueue(...asked) {
      running ??= runJobs(databaseUrl, jobs, log);
      await (await running).enqueue(...asked);
    },
    close: async () => (await running)?.close(),
  };
}
