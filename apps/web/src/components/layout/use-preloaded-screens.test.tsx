// @vitest-environment happy-dom
import { cleanup, render } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { usePreloadedScreens } from "./use-preloaded-screens.ts";

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("fetch", async () => Response.json({}));
  document.head.innerHTML = '<meta name="screen-parts" content="/assets/leads-screen.js /assets/calls-screen.js">';
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  document.head.replaceChildren();
  Reflect.deleteProperty(navigator, "connection");
});

function Layout() {
  usePreloadedScreens();
  return null;
}
function openPage() {
  const fetched: string[] = [];
  vi.spyOn(document.head, "append").mockImplementation((link) => {
    if (!(link instanceof HTMLLinkElement)) throw new Error("Only links are expected.");
    fetched.push(link.getAttribute("href") ?? "");
    queueMicrotask(() => link.dispatchEvent(new Event("load")));
  });
  return { ...render(<Layout />), fetched };
}

test("ten seconds after the start, and not before, the code of the other screens is fetched", async () => {
  const { fetched } = openPage();
  await vi.advanceTimersByTimeAsync(9_900);
  expect(fetched).toEqual([]);
  await vi.advanceTimersByTimeAsync(200);
  expect(fetched).toEqual(["/assets/leads-screen.js", "/assets/calls-screen.js"]);
});

test("nothing is fetched ahead for who saves data, or has left by then", async () => {
  const { fetched: afterLeaving, unmount } = openPage();
  unmount();
  Object.defineProperty(navigator, "connection", { value: { saveData: true }, configurable: true });
  const { fetched } = openPage();
  await vi.advanceTimersByTimeAsync(20_000);
  expect([afterLeaving, fetched]).toEqual([[], []]);
});
