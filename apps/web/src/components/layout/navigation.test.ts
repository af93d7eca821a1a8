import { listCarriers } from "@leadline/contract/carriers";
import { expect, test } from "vitest";
import { may } from "../may.ts";
import { navigationFor } from "./navigation.ts";

const ledTo = (role: Parameters<typeof navigationFor>[0]) =>
  navigationFor(role).flatMap(({ entries }) => entries.map(({ label }) => label));

test.each(["analyst", "member", "admin", "owner"] as const)(
  "%s is offered the carriers if they can see them",
  (role) => {
    expect(ledTo(role).includes("Carriers")).toBe(may(role, listCarriers));
    expect(ledTo(role)).toEqual(expect.arrayContaining(["Dashboard", "Leads", "Calls", "General", "Limits"]));
  },
);

test("a member can't see them, and isn't offered them", () => {
  expect(ledTo("member")).not.toContain("Carriers");
});
