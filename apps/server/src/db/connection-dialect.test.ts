import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { queriesOn } from "./connection-dialect.ts";

test("lists of every length, in conditions and in rows, leave plans for the other statements", async () => {
  const names: string[] = [];
  const database = queriesOn({
    async query({ name }) {
      names.push(name);
      return { rows: [] };
    },
  });
  for (let length = 1; length <= 400; length++) {
    const ids = Array.from({ length }, () => randomUUID());
    await database.selectFrom("calls").select("id").where("call_sid", "in", ids).execute();
    const rows = ids.map((id) => ({ key: Buffer.from(id), attempts: 1, window_ends_at: "2026-11-28T12:00:00Z" }));
    await database.insertInto("sign_in_attempts").values(rows).execute();
  }
  expect(names.filter((name) => name !== "").length).toBeLessThan(20);
  await database.selectFrom("leads").select("id").execute();
  expect(names.at(-1)).toContain('select "id" from "leads"');
});
