import { expect, test } from "vitest";
import { cookieLine, readCookie } from "./cookie.ts";

test("finds a cookie among others with similar names", () => {
  expect(readCookie("my-theme=light; theme=dark; themes=x", "theme")).toBe("dark");
  expect(readCookie("", "theme")).toBeNull();
});

test("the sidebar's cookie lasts seven days, applies to every page, and is sent to no other site", () => {
  expect(cookieLine("sidebar", "collapsed", 604_800)).toBe("sidebar=collapsed; Path=/; Max-Age=604800; SameSite=Lax");
});
