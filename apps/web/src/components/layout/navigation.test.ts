import { listCarriers } from "@leadline/contract/carriers";
import { expect, test } from "vitest";
import { may } from "../may.ts";
import { navigationFor } from "./navigation.ts";

const ledTo = (role: Parameters<typeof navigationFor>[0]) =>
  navigationFor(role).flatMap(({ entries }) => entries.map(({ label }) => label));

test.each(["member", "admin", "owner"] as const)("%s is led to the carriers where they can see them", (role) => {
  expect(ledTo(role).includes("Carriers")).toBe(may(role, listCarriers));
  expect(ledTo(role)).toEqual(expect.arrayContaining(["Dashboard", "Leads", "Calls", "General", "Limits"]));
});

test("a member cannot see them, and is not led there", () => {
  expect(ledTo("member")).not.toContain("Carriers");
});
