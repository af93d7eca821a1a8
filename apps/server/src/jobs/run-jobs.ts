import { CompiledQuery } from "kysely";
import { type Db, PgBoss } from "pg-boss";
import { Client } from "pg";
import type { z } from "zod";
import { appRole } from "../db/app-role.ts";
import type { Tx } from "../db/transaction.ts";
import type { Log } from "../log.ts";
import type { Job } from "./define-job.ts";

export interface Jobs {
  /** Runs once the caller's transaction commits, and never if it does not. */
  enqueue<Schema extends z.ZodObject>(tx: Tx, job: Job<Schema>, data: z.input<Schema>): Promise<void>;
  close(): Promise<void>;
}

const schema = "pgboss";

/**
 * pg-boss keeps its own schema and so connects as the database's owner, who is no superuser and whom row-level security
 * binds too. The app's role may add a job and look at queues: nothing more.
 */
export async function runJobs(ownerUrl: string, jobs: readonly Job[], log: Log): Promise<Jobs> {
  const boss = new PgBoss({
    connectionString: ownerUrl,
    application_name: "leadline-jobs",
    schema,
    max: 4,
    useListenNotify: true,
  });
  boss.on("error", (error) => log.warn({ err: error }, "the job queue stumbled and goes on"));
  boss.on("warning", (warning) => log.debug({ warning }, "the job queue warns"));
  await boss.start();
  for (const job of jobs) await serve(boss, job, log);
  await letAppRoleEnqueue(ownerUrl);
  return {
    async enqueue(tx, job, data) {
      const parsed = job.schema.parse(data);
      await boss.send(job.name, parsed, { db: inTransaction(tx) });
    },
    close: () => boss.stop({ graceful: true, timeout: 10_000 }),
  };
}

async function serve(boss: PgBoss, job: Job, log: Log): Promise<void> {
  await boss.createQueue(job.name, { notify: true, retryLimit: job.retries ?? 5, retryBackoff: true });
  // A batch larger than one is what lets a full queue be fetched without a pause.
  const options = {
    batchSize: 20,
    pollingIntervalSeconds: 2,
    notifyPollingIntervalSeconds: 2,
    burstWhenBatchFull: true,
    perJobResults: true,
  };
  await boss.work(job.name, options, async (batch) => {
    const results = await Promise.allSettled(batch.map(async ({ data }) => job.run(job.schema.parse(data ?? {}))));
    return batch.map(({ id }, index) => {
      const result = results[index];
      if (result?.status !== "rejected") return { id, status: "completed" as const };
      log.error({ err: result.reason, job: job.name, jobId: id }, "a job failed");
      return { id, status: "failed" as const, output: { message: String(result.reason) } };
    });
  });
  if (job.cron !== undefined) await boss.schedule(job.name, job.cron, {}, { tz: "UTC" });
}

async function letAppRoleEnqueue(ownerUrl: string): Promise<void> {
  const client = new Client({ connectionString: ownerUrl });
  await client.connect();
  try {
    await client.query(`
      grant usage on schema ${schema} to ${appRole};
      grant select, insert on all tables in schema ${schema} to ${appRole};
      grant execute on all functions in schema ${schema} to ${appRole};`);
  } finally {
    await client.end();
  }
}

function inTransaction(tx: Tx): Db {
  return {
    async executeSql(text, values = []) {
      const { rows } = await tx.executeQuery(CompiledQuery.raw(text, values));
      return { rows };
    },
  };
}
