import { expect, test } from "vitest";
import { isPublicPath } from "./public-paths.ts";

test("public pages stay public with a slash at the end", () => {
  for (const path of ["/", "/login", "/login/", "/oauth2/callback", "/terms-of-use"])
    expect(isPublicPath(path)).toBe(true);
});

test("the signed-in area is not public, and no path becomes so by resembling one", () => {
  for (const path of ["/dashboard", "/calls", "/settings/organisations", "/login/x", "/oauth2x"]) {
    expect(isPublicPath(path)).toBe(false);
  }
});
