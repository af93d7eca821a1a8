import { randomUUID } from "node:crypto";
import { expect, onTestFinished, test, vi } from "vitest";
import { createLog } from "../log.ts";
import { ownerPool, testDatabase } from "../testing/test-database.ts";
import { openExclusiveLocks } from "./exclusive-locks.ts";

const database = testDatabase();
const owner = ownerPool();

async function openOne() {
  const one = await openExclusiveLocks(database, createLog("fatal"));
  onTestFinished(() => one.close());
  return one;
}

test("returns null while the connection is down, and asks again once it is back", async () => {
  const [ours, theirs] = [await openOne(), await openOne()];
  const name = randomUUID();
  expect(await ours.tryHold(name)).toBe(true);
  expect(await theirs.tryHold(name)).toBe(false);
  await owner.query(
    `select pg_terminate_backend(pid) from pg_locks
     where locktype = 'advisory' and objid::bigint = hashtext($1)::bigint & 4294967295`,
    [name],
  );
  const answers: (boolean | null)[] = [];
  await vi.waitFor(
    async () => {
      answers.push(await ours.tryHold(name));
      expect(answers).toContain(null);
      expect(answers.at(-1)).toBe(true);
    },
    { interval: 5 },
  );
  expect(answers).not.toContain(false);
});
