import { expect, test } from "vitest";
import { readDashboardSearch } from "./period.ts";

test("an address may name a period and a member; what the server would refuse is left out", () => {
  const member = "0199a3f0-6c1e-7d2b-8f4a-2b7c9d1e5f60";
  expect(readDashboardSearch({ period: "7-days", member })).toEqual({ period: "7-days", member });
  expect(readDashboardSearch({ period: "year", member: "somebody" })).toEqual({});
  expect(readDashboardSearch({ member: "11111111-2222-0333-4444-555555555555" })).toEqual({});
  expect(readDashboardSearch({ member: 7 })).toEqual({});
});
