import { expect, test } from "vitest";
import { exportRows } from "./export-rows.ts";

test("writes rows with wide cells a few at a time, so that other work gets its turn", async () => {
  const cell = ";=".repeat(50_000);
  const all = Array.from({ length: 250 }, (_, index) => ({ row: index + 1 }));
  let pages = 0;
  const file = exportRows("wide.csv", {
    header: ["Row", "Cell"],
    async readPage({ afterRow, limit }) {
      pages += 1;
      return all.slice(afterRow, afterRow + limit);
    },
    toCells: ({ row }) => [String(row), cell],
  });
  let longest = 0;
  let written = "";
  for await (const piece of "content" in file ? file.content : []) {
    longest = Math.max(longest, String(piece).length);
    written += String(piece);
  }
  expect(pages).toBe(3);
  expect(longest).toBeLessThan(300_000);
  const lines = written.trimEnd().split("\n");
  expect(lines).toHaveLength(251);
  expect(lines[250]).toMatch(/^"250",";'=;'=/);
});
