import { expect, test } from "vitest";
import { cookieLine, readCookie } from "./cookie.ts";

test("finds a cookie among others whose names only resemble it", () => {
  expect(readCookie("my-theme=light; theme=dark; themes=x", "theme")).toBe("dark");
  expect(readCookie("", "theme")).toBeNull();
});

test("the sidebar's line lives seven days, on every page, and goes to no other site", () => {
  expect(cookieLine("sidebar", "collapsed", 604_800)).toBe("sidebar=collapsed; Path=/; Max-Age=604800; SameSite=Lax");
});
