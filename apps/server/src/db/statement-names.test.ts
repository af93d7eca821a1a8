import { expect, test } from "vitest";
import { createStatementNames } from "./statement-names.ts";

const parameters = (from: number, count: number) => Array.from({ length: count }, (_, i) => `$${from + i}`).join(", ");

test("lists of every length, in conditions and in rows, leave plans for the other statements", () => {
  const nameOf = createStatementNames();
  const names: string[] = [];
  for (let length = 1; length <= 400; length++) {
    names.push(nameOf(`select "id" from "calls" where "call_sid" in (${parameters(1, length)})`));
    const rows = Array.from({ length }, (_, row) => `(${parameters(row * 3 + 1, 3)})`).join(", ");
    names.push(nameOf(`insert into "sign_in_attempts" ("key", "attempts", "window_ends_at") values ${rows}`));
  }
  expect(names.filter((name) => name !== "").length).toBeLessThan(20);
  expect(nameOf('select "id" from "leads"')).toContain('select "id" from "leads"');
});
