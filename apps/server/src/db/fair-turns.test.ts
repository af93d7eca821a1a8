import { randomUUID } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import { afterAll, describe, expect, inject, onTestFinished, test, vi } from "vitest";
import { createLog } from "../log.ts";
import { openDatabase } from "./database.ts";
import { createFairTurns, NoTurnInTime } from "./fair-turns.ts";

describe("turns at a limited resource", () => {
  const patient = { longEach: 0, longMs: 0, patienceMs: 60_000 };
  /** The keys in the order in which they got their turns. */
  const queue = (turns: ReturnType<typeof createFairTurns>) => {
    const had: string[] = [];
    const give: (() => void)[] = [];
    const ask = async (name: string) => {
      const done = await turns.take(name.slice(0, 1));
      had.push(name);
      give.push(done);
    };
    const endOldest = async () => {
      give.shift()?.();
      await setImmediate();
    };
    onTestFinished(async () => {
      while (give.length > 0) await endOldest();
    });
    return { had, ask, endOldest };
  };

  test("are given round robin to the waiting keys, however many wait under one of them", async () => {
    const { had, ask, endOldest } = queue(createFairTurns({ ...patient, atOnce: 1, briskEach: 1 }));
    for (const name of ["a1", "a2", "a3", "a4", "b1", "b2", "c1"]) void ask(name);
    for (let ended = 0; ended < 7; ended += 1) await endOldest();
    expect(had).toEqual(["a1", "a2", "b1", "c1", "a3", "b2", "a4"]);
  });

  test("leave some for others: a key gets no more than its share, even if no other key is waiting", async () => {
    const { had, ask, endOldest } = queue(createFairTurns({ ...patient, atOnce: 4, briskEach: 2 }));
    for (const name of ["a1", "a2", "a3", "a4"]) void ask(name);
    await ask("b1");
    expect(had).toEqual(["a1", "a2", "b1"]);
    await endOldest();
    expect(had).toEqual(["a1", "a2", "b1", "a3"]);
  });

  test("that last long make way for brisk ones under the same key, up to longEach", async () => {
    const { had, ask } = queue(createFairTurns({ ...patient, atOnce: 9, briskEach: 1, longEach: 2, longMs: 1 }));
    for (const name of ["a1", "a2", "a3", "a4"]) void ask(name);
    await vi.waitFor(() => expect(had).toHaveLength(3));
    await ask("b1");
    expect(had).toEqual(["a1", "a2", "a3", "b1"]);
  });

  test("are refused to callers that have waited too long, and no other caller loses its turn", async () => {
    const turns = createFairTurns({ ...patient, atOnce: 1, briskEach: 1, patienceMs: 20 });
    const done = await turns.take("a");
    await expect(turns.take("a")).rejects.toThrow(NoTurnInTime);
    await expect(turns.take("b")).rejects.toThrow(NoTurnInTime);
    done();
    for (const key of ["a", "b", "a"]) (await turns.take(key))();
  });

  test("are refused once too many wait, to the newest of the key with the most waiting", async () => {
    const { had, ask, endOldest } = queue(createFairTurns({ ...patient, atOnce: 1, briskEach: 1, mostWaiting: 3 }));
    const refused: string[] = [];
    for (const name of ["a1", "a2", "a3", "a4", "a5", "b1", "c1", "d1"])
      void ask(name).catch((error: unknown) => refused.push(`${name} ${String(error)}`));
    for (let ended = 0; ended < 4; ended += 1) await endOldest();
    expect(had).toEqual(["a1", "a2", "b1", "c1"]);
    expect(refused.toSorted()).toEqual(["a3", "a4", "a5", "d1"].map((name) => `${name} NoTurnInTime: 3 others wait`));
  });
});

describe("transactions", () => {
  const width = 10;
  const database = openDatabase(inject("databaseUrl"), createLog("fatal"), { maxConnections: width });
  afterAll(() => database.close());

  test.for(["withTransaction", "readInTransaction"] as const)(
    "by %s: one organisation's transactions leave connections to the others, however many wait",
    async (begin) => {
      const flooding = randomUUID();
      const release = Promise.withResolvers<void>();
      let begun = 0;
      const slow = Array.from({ length: 3 * width }, () =>
        database[begin]({ organisationId: flooding }, async () => {
          begun += 1;
          await release.promise;
        }),
      );
      await vi.waitFor(() => expect(begun).toBeGreaterThan(0));
      // Another organisation's, a user's, and the system's own.
      const scopes = [{ organisationId: randomUUID() }, { userId: randomUUID() }, { system: "tests look around" }];
      const others = Promise.all(scopes.map((scope) => database[begin](scope, async () => "went through")));
      await others.catch(() => {});
      const begunMeanwhile = begun;
      release.resolve();
      await Promise.allSettled(slow);
      expect(await others).toEqual(scopes.map(() => "went through"));
      expect(begunMeanwhile).toBeLessThan(width);
      expect(begun).toBe(3 * width);
    },
  );

  test("of the system on an organisation's behalf wait for each other, and not for another organisation's", async () => {
    const scope = (by: string) => ({ system: "count attempts", by });
    const release = Promise.withResolvers<void>();
    const slow = Array.from({ length: 3 * width }, () => database.withTransaction(scope("one"), () => release.promise));
    expect(await database.withTransaction(scope("another"), async () => "went through")).toBe("went through");
    release.resolve();
    await Promise.all(slow);
  });
});
