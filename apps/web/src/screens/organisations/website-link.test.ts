import { expect, test } from "vitest";
import { websiteLink } from "./website-link.ts";

test("a bare host becomes an https link", () => {
  expect(websiteLink("example.com")).toEqual({ href: "https://example.com/", label: "example.com" });
  expect(websiteLink("http://example.com/about")?.label).toBe("example.com/about");
});

test("text that a browser shouldn't open isn't a link", () => {
  for (const typed of ["javascript:alert(1)", "data:text/html,x", "our site", "//"])
    expect(websiteLink(typed)).toBeNull();
});
