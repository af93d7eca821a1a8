import { endpoints } from "@leadline/contract/endpoints";
import { Role } from "@leadline/contract/organisations";
import { expect, test } from "vitest";
import { may } from "./may.ts";

const offeredTo = (role: Role | null) =>
  new Set(Object.values(endpoints).flatMap((endpoint) => (may(role, endpoint) ? endpoint.access : [])));

test("each role is offered what the contract allows, and nothing above", () => {
  expect(Role.options.map((role) => [role, [...offeredTo(role)].toSorted()])).toEqual([
    ["owner", ["admin", "analyst", "member", "owner", "public", "signed-in"]],
    ["admin", ["admin", "analyst", "member", "public", "signed-in"]],
    ["member", ["analyst", "member", "public", "signed-in"]],
    ["analyst", ["analyst", "public", "signed-in"]],
  ]);
  expect([...offeredTo(null)].toSorted()).toEqual(["public", "signed-in"]);
});
