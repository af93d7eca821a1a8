// @vitest-environment happy-dom
import { afterEach, expect, test, vi } from "vitest";
import { holdTitle } from "./use-call-guards.ts";

afterEach(() => vi.restoreAllMocks());

/** What a browser returns; happy-dom keeps the trailing spaces. */
function titleAsBrowsersHaveIt(): string[] {
  const sets: string[] = [];
  const element = document.head.appendChild(document.createElement("title"));
  vi.spyOn(document, "title", "get").mockImplementation(() => element.textContent.trim().replaceAll(/\s+/g, " "));
  vi.spyOn(document, "title", "set").mockImplementation((title) => {
    sets.push(title);
    // A loop would hang the page.
    if (sets.length < 10) element.textContent = title;
  });
  return sets;
}

test("a title that the browser writes with fewer spaces is held without an endless loop", async () => {
  const sets = titleAsBrowsersHaveIt();
  const letGo = holdTitle("☎ In call  ");
  try {
    await Promise.resolve();
    expect(sets).toEqual(["☎ In call  "]);
    document.title = "Leads";
    await vi.waitFor(() => expect(document.title).toBe("☎ In call"));
    expect(sets).toHaveLength(3);
  } finally {
    letGo();
  }
  expect(document.title).toBe("Leads");
});
