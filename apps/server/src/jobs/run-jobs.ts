import { CompiledQuery } from "kysely";
import { type Db, PgBoss } from "pg-boss";
import { Client } from "pg";
import type { z } from "zod";
import { appRole } from "../db/app-role.ts";
import type { Tx } from "../db/transaction.ts";
import type { Log } from "../log.ts";
import type { Job } from "./define-job.ts";

export interface Jobs {
  /** Runs the job once the caller's transaction commits, optionally after a delay, and never if it rolls back. */
  enqueue<Schema extends z.ZodObject>(
    tx: Tx,
    job: Job<Schema>,
    data: z.input<Schema>,
    options?: { afterMs?: number },
  ): Promise<void>;
  close(): Promise<void>;
}

const schema = "pgboss";

/**
 * pg-boss manages its own schema, so it connects as the database's owner, who isn't a superuser and is bound by
 * row-level security too. The app's role can add jobs and read queues: nothing more.
 */
export async function runJobs(ownerUrl: string, jobs: readonly Job[], log: Log): Promise<Jobs> {
  const boss = new PgBoss({
    connectionString: ownerUrl,
    application_name: "leadline-jobs",
    schema,
    max: 4,
    useListenNotify: true,
  });
  boss.on("error", (error) => log.warn({ err: error }, "the job queue had an error and continues"));
  boss.on("warning", (warning) => log.debug({ warning }, "the job queue reported a warning"));
  await boss.start();
  const enqueue: Jobs["enqueue"] = async (tx, job, data, { afterMs = 0 } = {}) => {
    const parsed = job.schema.parse(data);
    const later = afterMs > 0 ? { startAfter: Math.ceil(afterMs / 1000) } : {};
    await boss.send(job.name, parsed, { db: inTransaction(tx), ...later });
  };
  for (const job of jobs) await serve(boss, job, { enqueue, log });
  await letAppRoleEnqueue(ownerUrl);
  return {
    enqueue,
    close: () => boss.stop({ graceful: true, timeout: 10_000 }),
  };
}

async function serve(boss: PgBoss, job: Job, { enqueue, log }: { enqueue: Jobs["enqueue"]; log: Log }): Promise<void> {
  const retries = {
    retryLimit: job.retries ?? 5,
    retryDelay: Math.ceil((job.firstWaitMs ?? 1_000) / 1_000),
    retryDelayMax: 3_600,
    retryBackoff: true,
  };
  await boss.createQueue(job.name, { notify: true, ...retries });
  // A queue created by an older Leadline keeps its former settings.
  await boss.updateQueue(job.name, retries);
  // Only a batch size above one fetches from a full queue without a pause; the slowest job of a batch delays the next
  // batch.
  const fetching =
    job.atOnce === undefined
      ? { batchSize: 20, burstWhenBatchFull: true }
      : { batchSize: 1, localConcurrency: job.atOnce };
  const options = { ...fetching, pollingIntervalSeconds: 2, notifyPollingIntervalSeconds: 2, perJobResults: true };
  await forget(boss, `name = $1 and state in ('completed', 'cancelled', 'failed')`, [job.name]);
  await boss.work(job.name, options, async (batch) => {
    const results = await Promise.allSettled(
      batch.map(async ({ data }) => job.run(job.schema.parse(data ?? {}), { enqueue })),
    );
    const over = batch.filter(
      ({ retryCount }, index) => results[index]?.status === "fulfilled" || retryCount >= retries.retryLimit,
    );
    await forget(boss, "name = $1 and id = any($2)", [job.name, over.map(({ id }) => id)]).catch((error: unknown) =>
      log.warn({ err: error, job: job.name }, "the data of finished jobs could not be removed"),
    );
    return batch.map(({ id }, index) => {
      const result = results[index];
      if (result?.status !== "rejected") return { id, status: "completed" as const };
      log.error({ err: result.reason, job: job.name, jobId: id }, "a job failed");
      return { id, status: "failed" as const, output: { message: "Its error is in the log." } };
    });
  });
  if (job.cron !== undefined) await boss.schedule(job.name, job.cron, {}, { tz: "UTC" });
}

/**
 * A job's data may contain personal data, and pg-boss keeps finished jobs for days: removes everything that isn't
 * needed.
 */
async function forget(boss: PgBoss, which: string, values: unknown[]): Promise<void> {
  await boss.getDb().executeSql(`update ${schema}.job set data = null, output = null where ${which}`, values);
}

async function letAppRoleEnqueue(ownerUrl: string): Promise<void> {
  const client = new Client({ connectionString: ownerUrl });
  await client.connect();
  try {
    // In one transaction, one server at a time: Postgres rejects concurrent grants from two servers that start at once.
    await client.query(`
      select pg_advisory_xact_lock(hashtextextended('${schema} grants', 0));
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
