// @vitest-environment happy-dom
import { afterEach, expect, test, vi } from "vitest";
import { fetchScreens, screensAreHere } from "./fetch-screens.ts";
import { lazyScreen } from "./lazy-screen.ts";

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  document.head.replaceChildren();
});

/** Records what the page asks the browser to fetch. `answer` decides how each request ends. */
function watchLinks(answer: (href: string) => "load" | "error"): string[] {
  vi.stubGlobal("fetch", async () => Response.json({}));
  document.head.innerHTML = '<meta name="screen-parts" content="/assets/shared.js /assets/leads-screen.js">';
  const asked: string[] = [];
  vi.spyOn(document.head, "append").mockImplementation((link) => {
    if (!(link instanceof HTMLLinkElement)) throw new Error("Only links are expected.");
    asked.push(`${link.rel} ${link.getAttribute("href")}`);
    queueMicrotask(() => link.dispatchEvent(new Event(answer(link.href))));
  });
  return asked;
}

test("stops at a file that fails, and the screens aren't marked as loaded", async () => {
  const asked = watchLinks(() => "error");
  await expect(fetchScreens(new AbortController().signal)).rejects.toThrow("/assets/shared.js could not be fetched.");
  expect([asked, screensAreHere()]).toEqual([["modulepreload /assets/shared.js"], false]);
});

test("leaving the page stops it", async () => {
  const asked = watchLinks(() => "load");
  await fetchScreens(AbortSignal.abort());
  expect([asked, screensAreHere()]).toEqual([[], false]);
});

test("fetches every screen's code without running it; screens then open without a network", async () => {
  const asked = watchLinks(() => "load");
  await fetchScreens(new AbortController().signal);
  expect([asked, screensAreHere()]).toEqual([
    ["modulepreload /assets/shared.js", "modulepreload /assets/leads-screen.js"],
    true,
  ]);
  vi.spyOn(navigator, "onLine", "get").mockReturnValue(false);
  const load = vi.fn<() => Promise<{ Screen: () => null }>>(async () => ({ Screen: () => null }));
  await lazyScreen(load, "Screen").preload();
  expect(load).toHaveBeenCalledTimes(1);
  watchLinks(() => "load");
  expect(screensAreHere(), "another page begins without them").toBe(false);
});
