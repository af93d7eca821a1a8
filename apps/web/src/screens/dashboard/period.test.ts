import { expect, test } from "vitest";
import { readDashboardSearch } from "./period.ts";

test("the address can name a period and a member; values that the server would refuse are ignored", () => {
  const member = "0199a3f0-6c1e-7d2b-8f4a-2b7c9d1e5f60";
  expect(readDashboardSearch({ period: "7-days", member })).toEqual({ period: "7-days", member });
  expect(readDashboardSearch({ period: "year", member: "somebody" })).toEqual({});
  expect(readDashboardSearch({ member: "11111111-2222-0333-4444-555555555555" })).toEqual({});
  expect(readDashboardSearch({ member: 7 })).toEqual({});
});
