// @vitest-environment node
import { expect, test } from "vitest";
import { pathOfState } from "./path-of-state.ts";

const stateOf = (carried: unknown) => Buffer.from(JSON.stringify(carried)).toString("base64url");

test("reads the path in the state, with its query and in any alphabet", () => {
  expect(pathOfState(stateOf({ path: "/leads?search=Ærø&status=New", proof: "x" }))).toBe(
    "/leads?search=Ærø&status=New",
  );
});

test.each([
  stateOf({ proof: "x" }),
  stateOf({ path: "https://evil.example", proof: "x" }),
  stateOf({ path: "//evil.example", proof: "x" }),
  stateOf({ path: "/\\evil.example", proof: "x" }),
  stateOf({ path: "/\t/evil.example", proof: "x" }),
  stateOf({ path: "/logout", proof: "x" }),
  stateOf({ path: "/oauth2/callback?code=1", proof: "x" }),
  stateOf("/leads"),
  "not base64!",
  "",
])("reads no path from %j", (state) => {
  expect(pathOfState(state)).toBeNull();
});
