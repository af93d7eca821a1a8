import { expect, test } from "vitest";
import { isPublicPath } from "./public-paths.ts";

test("public pages stay public with a trailing slash", () => {
  const specified = ["/register", "/login", "/logout", "/health", "/faq", "/about", "/privacy-policy", "/terms-of-use"];
  for (const path of ["/", ...specified, "/error", "/oauth2", "/oauth2/callback", "/oauth2/any/depth"]) {
    expect(isPublicPath(path)).toBe(true);
    expect(isPublicPath(path.replace(/\/?$/, "/"))).toBe(true);
  }
});

test("the pages behind the login aren't public, and no path becomes public by a similar name", () => {
  for (const path of ["/dashboard", "/calls", "/settings/organisations", "/login/x", "/oauth2x"]) {
    expect(isPublicPath(path)).toBe(false);
  }
});
