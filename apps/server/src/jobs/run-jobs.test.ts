import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { sql } from "kysely";
import { z } from "zod";
import { createLog } from "../log.ts";
import { testDatabase } from "../testing/test-database.ts";
import { defineJob } from "./define-job.ts";
import { type Jobs, runJobs } from "./run-jobs.ts";

const database = testDatabase();
const name = `test-${randomUUID()}`;
const ran: string[] = [];
let failures = 0;
const job = defineJob({
  name,
  schema: z.object({ word: z.string(), failFirst: z.boolean().default(false) }),
  run: async ({ word, failFirst }) => {
    if (failFirst && failures++ === 0) throw new Error("not yet");
    ran.push(word);
  },
});
const release = Promise.withResolvers<void>();
const long = defineJob({
  name: `${name}-long`,
  schema: z.object({ word: z.string(), waits: z.boolean().default(false) }),
  atOnce: 2,
  run: async ({ word, waits }) => {
    ran.push(word);
    if (waits) await release.promise;
  },
});
/** An address, as it appears in a mail server's refusal. */
const address = `${randomUUID()}@example.com`;
const refused = defineJob({
  name: `${name}-refused`,
  schema: z.object({ email: z.string() }),
  retries: 1,
  firstWaitMs: 1,
  run: async ({ email }) => {
    throw new Error(`550 no such mailbox: ${email}`);
  },
});
let jobs: Jobs;

beforeAll(async () => {
  jobs = await runJobs(inject("databaseUrl"), [job, long, refused], createLog("silent"));
});
afterAll(() => jobs.close());

const ranWord = async (word: string): Promise<void> => {
  while (!ran.includes(word)) await sleep(10);
};

describe("a job", () => {
  test("runs soon after the caller's transaction commits, as the app's own role", async () => {
    const startedMs = performance.now();
    await database.withTransaction({}, (tx) => jobs.enqueue(tx, job, { word: "committed" }));
    await ranWord("committed");
    expect(performance.now() - startedMs).toBeLessThan(3_000);
  });

  test("never runs if the transaction is rolled back", async () => {
    const undone = database.withTransaction({}, async (tx) => {
      await jobs.enqueue(tx, job, { word: "rolled back" });
      throw new Error("undo");
    });
    await expect(undone).rejects.toThrow("undo");
    await database.withTransaction({}, (tx) => jobs.enqueue(tx, job, { word: "after" }));
    await ranWord("after");
    expect(ran).not.toContain("rolled back");
  });

  test("that fails is retried", async () => {
    await database.withTransaction({}, (tx) => jobs.enqueue(tx, job, { word: "second try", failFirst: true }));
    await ranWord("second try");
    expect(failures).toBe(2);
  });

  test("that has finished keeps none of its data, whether it succeeded or failed", async () => {
    const left = async (queue: string) => {
      const { rows } = await database.withTransaction({}, (tx) =>
        sql<{ state: string; job: string }>`
          select state::text, job::text as job from pgboss.job where name = ${queue} and retry_count = retry_limit or
            name = ${queue} and state = 'completed'`.execute(tx),
      );
      return rows;
    };
    await database.withTransaction({}, async (tx) => {
      await jobs.enqueue(tx, refused, { email: address });
      await jobs.enqueue(tx, job, { word: "secret word" });
    });
    const isOver = { interval: 100 };
    await expect.poll(async () => (await left(refused.name)).map(({ state }) => state), isOver).toEqual(["failed"]);
    await ranWord("secret word");
    await expect.poll(async () => JSON.stringify(await left(job.name)), isOver).not.toContain("secret word");
    expect(JSON.stringify(await left(refused.name))).not.toContain(address);
  });

  test("that takes long doesn't delay the others in its queue if several run at once", async () => {
    const enqueue = (word: string, waits: boolean) =>
      database.withTransaction({}, (tx) => jobs.enqueue(tx, long, { word, waits }));
    await enqueue("an import of 100,000 rows", true);
    await ranWord("an import of 100,000 rows");
    for (const word of ["small 1", "small 2", "small 3"]) await enqueue(word, false);
    await ranWord("small 3");
    expect(ran).toEqual(expect.arrayContaining(["small 1", "small 2", "small 3"]));
    release.resolve();
  });

  test("is retried as often as its newest definition says, even in a queue created by an older one", async () => {
    const patient = { ...job, retries: 12, firstWaitMs: 10_000 };
    const again = await runJobs(inject("databaseUrl"), [patient], createLog("silent"));
    await again.close();
    const { rows } = await database.withTransaction({ system: "the queue's own table" }, (tx) =>
      sql`select retry_limit, retry_delay, retry_backoff from pgboss.queue where name = ${name}`.execute(tx),
    );
    expect(rows).toEqual([{ retry_limit: 12, retry_delay: 10, retry_backoff: true }]);
  });

  test("with data that doesn't match its schema is refused by enqueue", async () => {
    const wrong = database.withTransaction({}, (tx) => jobs.enqueue(tx, job, JSON.parse('{"word":7}')));
    await expect(wrong).rejects.toThrow(/expected string/);
  });
});

test("servers that start at once don't conflict over their grants", async () => {
  const several = Array.from({ length: 6 }, () => runJobs(inject("databaseUrl"), [], createLog("silent")));
  const started = await Promise.allSettled(several);
  await Promise.all(started.map((one) => one.status === "fulfilled" && one.value.close()));
  expect(started.filter(({ status }) => status === "rejected")).toEqual([]);
});
