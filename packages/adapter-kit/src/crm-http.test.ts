import { expect, test } from "vitest";
import { timeOf } from "./crm-http.ts";

test("a response without a readable Date counts as of now", () => {
  const read = (headers: Record<string, string>) => timeOf({ status: 200, headers, text: "" }).getTime();
  expect(read({ date: "Sun, 01 Mar 2026 12:00:00 GMT" })).toBe(Date.parse("2026-03-01T12:00:00Z"));
  for (const headers of [{}, { date: "yesterday" }]) expect(Math.abs(read(headers) - Date.now())).toBeLessThan(60_000);
});
